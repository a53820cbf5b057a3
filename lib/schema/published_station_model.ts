import { z } from "zod";
import { publishedNumber, PublishedText } from "./published_cell.ts";

const Runs = publishedNumber(z.int().min(0));
const Q = publishedNumber(z.number().min(0).max(1));

/** The clean-live runs of one model family (station paper, Table 6). */
export const PublishedModelRow = z.strictObject({
  model: PublishedText.describe("as printed"),
  stabilized: Runs,
  runs: Runs,
  mean_q: Q,
  sd_q: Q.describe("sample standard deviation over seeds"),
  median_q: Q,
  classes: PublishedText.describe("as printed: S strong, A adequate, F failed without a valid plan"),
});
export type PublishedModelRow = z.infer<typeof PublishedModelRow>;
