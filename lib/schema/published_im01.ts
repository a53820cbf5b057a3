import { z } from "zod";
import { PublishedFlag, publishedNumber, PublishedText } from "./published_cell.ts";
import { ROLES } from "./role.ts";

/** One row of the deliberation paper's full table of IM-01 (Table S5); names as printed there. */
export const PublishedIm01Row = z.strictObject({
  experiment: z.enum(["temperature", "semantic", "ablation"]),
  condition: PublishedText.describe("as printed"),
  temperature: publishedNumber(z.number().min(0)),
  roles: PublishedFlag,
  ablated: z.enum([...ROLES, "none"]),
  lambda: publishedNumber(z.number()).describe("nats per round"),
  flip_rate: publishedNumber(z.number().min(0).max(1)).describe("share of runs with a non-modal final decision"),
  ttm: publishedNumber(z.number().min(1)).describe("median time to majority, rounds"),
  n: publishedNumber(z.int().min(0)).describe("runs"),
});
export type PublishedIm01Row = z.infer<typeof PublishedIm01Row>;
