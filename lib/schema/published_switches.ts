import { z } from "zod";
import { publishedNumber } from "./published_cell.ts";
import { Role } from "./role.ts";

const Switches = publishedNumber(z.number().min(0));

/** How often one role of IM-01 switches its top option (deliberation paper, Table S7). */
export const PublishedSwitchesRow = z.strictObject({
  role: Role,
  mean_switches: Switches.describe("a run"),
  sd: Switches.describe("standard deviation over agent-runs"),
  n: publishedNumber(z.int().min(0)).describe("agent-runs, pooled over six temperatures"),
});
export type PublishedSwitchesRow = z.infer<typeof PublishedSwitchesRow>;
