import { z } from "zod";
import { publishedNumber, PublishedText } from "./published_cell.ts";
import { COMPONENTS } from "./station_summary.ts";

/** The weight of one component of q (station paper, Table 4). */
export const PublishedWeightRow = z.strictObject({
  component: z.enum(COMPONENTS),
  printed: PublishedText.describe("its name in the table"),
  measures: PublishedText.describe("in our words"),
  weight: publishedNumber(z.number().min(0).max(1)),
});
export type PublishedWeightRow = z.infer<typeof PublishedWeightRow>;
