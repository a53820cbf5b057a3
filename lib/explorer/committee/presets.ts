import { ROLES } from "../../schema/scenario.ts";
import { type Committee, OPENING, PAPER_COMMITTEE, type Preset } from "./state.ts";

const pair = (label: string, first: Partial<Committee>, second: Partial<Committee>): Preset => ({
  label,
  state: { ...OPENING, committees: [{ ...PAPER_COMMITTEE, ...first }, { ...PAPER_COMMITTEE, ...second }] },
});

/** What a newcomer should see: the two routes of Figure 1, and the Chair of Figure 2. */
export const PRESETS: readonly Preset[] = [
  pair("Roles on or off", {}, { mandates: [] }),
  pair("Mixed or uniform models", { lineup: "mixed", mandates: [] }, { mandates: [] }),
  pair("With or without the Chair", { scenario: "IM-01" }, {
    scenario: "IM-01",
    mandates: ROLES.filter((role) => role !== "Chair"),
  }),
];
