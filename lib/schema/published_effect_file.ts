import { z } from "zod";
import { PublishedText } from "./published_cell.ts";
import { NONE } from "./published_station_cell.ts";

/** One effect of the deliberation paper's file manifest (Table S2), and where it is to be found here. */
export const PublishedEffectFileRow = z.strictObject({
  effect: PublishedText.describe("as printed"),
  printed_file: PublishedText.describe("the authors' file as printed, cut off where the page cuts it off"),
  conditions: PublishedText.transform((text) => text.split("; "))
    .describe("our ledgers' stems; {scenario} and {variant} stand for each of them"),
  notebook: PublishedText.transform((text) => text === NONE ? null : text)
    .describe("ours that shows the effect, from notebooks/; null: none yet"),
});
export type PublishedEffectFileRow = z.infer<typeof PublishedEffectFileRow>;
