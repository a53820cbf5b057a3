import { z } from "zod";
import { PublishedText } from "./published_cell.ts";
import { Role } from "./role.ts";

/** Which model sits in which seat of the mixed line-up (deliberation paper, Methods). */
export const PublishedSeatRow = z.strictObject({
  role: Role,
  model: PublishedText.describe("as printed"),
});
export type PublishedSeatRow = z.infer<typeof PublishedSeatRow>;
