import { z } from "zod";
import { PublishedText } from "./published_cell.ts";

/** One phrasing of IM-01 and where its single run ended (deliberation paper, S4.2 and S4.3). */
export const PublishedPhrasingRow = z.strictObject({
  phrasing: PublishedText.describe("as printed"),
  how: PublishedText.describe("how it was worded, in our words"),
  decision: z.enum(["A", "B", "C"]).describe("the option to which the run converged"),
});
export type PublishedPhrasingRow = z.infer<typeof PublishedPhrasingRow>;
