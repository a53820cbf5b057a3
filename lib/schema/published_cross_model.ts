import { z } from "zod";
import { PublishedFlag, publishedNumber, PublishedText } from "./published_cell.ts";

/** λ̂ of IM-01 for one model, role setting and temperature (deliberation paper, Table S6). */
export const PublishedCrossModelRow = z.strictObject({
  provider: PublishedText.describe("as printed; Baseline for the model of the uniform runs"),
  model: PublishedText.describe("as printed"),
  roles: PublishedFlag,
  temperature: publishedNumber(z.number().min(0)),
  lambda: publishedNumber(z.number()).describe("nats per round"),
  n: publishedNumber(z.int().min(0)).describe("runs"),
});
export type PublishedCrossModelRow = z.infer<typeof PublishedCrossModelRow>;
