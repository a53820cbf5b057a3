import { z } from "zod";
import { PublishedFlag, publishedNumber, PublishedScenarioId } from "./published_cell.ts";

/** λ̂ of one scenario's uniform committee by roles and temperature (deliberation paper, Table S8). */
export const PublishedLandscapeRow = z.strictObject({
  scenario: PublishedScenarioId,
  roles: PublishedFlag,
  temperature: publishedNumber(z.number().min(0)),
  lambda: publishedNumber(z.number()).describe("nats per round"),
});
export type PublishedLandscapeRow = z.infer<typeof PublishedLandscapeRow>;
