import { z } from "zod";
import { PublishedScenarioId, PublishedText } from "./published_cell.ts";

const Options = z.array(PublishedText).min(2, "must name at least two options, parted by ' / '");

/** One policy scenario of the deliberation paper (Table S4); every cell as printed. */
export const PublishedScenarioRow = z.strictObject({
  id: PublishedScenarioId,
  domain: PublishedText,
  type: z.enum(["choice_ABC", "allocation"]),
  options: z.string().transform((text) => text.split(" / ")).pipe(Options).describe("labels in order"),
  question: PublishedText,
});
export type PublishedScenarioRow = z.infer<typeof PublishedScenarioRow>;
