import { contentHash } from "../core/canonical_json.ts";
import { createPrompter } from "../deliberation/prompt.ts";
import { start } from "../deliberation/state.ts";
import { packetPart } from "../model/surrogate/read_prompt.ts";
import type { Condition } from "../schema/condition.ts";
import { listScenarios } from "../storage/scenarios.ts";
import { loadCondition } from "./load_condition.ts";

/** Hash of the scenario packet as a condition's agents read it: what surrogates tell one wording from another by. */
export function packetWording(condition: Condition): string {
  const messages = createPrompter(condition)(start(condition), { kind: "turn", round: 1, seat: 0, again: false });
  return contentHash(packetPart(messages[1]));
}

/** Hashes of every wording of IM-01 on file, the canonical one first: the scenario that the paper rewords (S4). */
export async function im01Wordings(): Promise<string[]> {
  const { variants } = (await listScenarios()).find(({ id }) => id === "IM-01")!;
  const conditions = [undefined, ...variants].map((variant) => loadCondition({ scenario: "IM-01", variant }));
  return (await Promise.all(conditions)).map(packetWording);
}
