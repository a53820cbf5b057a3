import { z } from "zod";
import { PublishedFlag, publishedNumber, PublishedText } from "./published_cell.ts";

/** One cell of the deliberation paper's 2×2 of line-up and roles (Fig. 1B). */
export const PublishedTwoRoutesRow = z.strictObject({
  scenario: PublishedText,
  lineup: z.enum(["uniform", "mixed"]),
  roles: PublishedFlag,
  lambda: publishedNumber(z.number()).describe("nats per round"),
  n: publishedNumber(z.int().min(0)).describe("realised replicates"),
});
export type PublishedTwoRoutesRow = z.infer<typeof PublishedTwoRoutesRow>;
