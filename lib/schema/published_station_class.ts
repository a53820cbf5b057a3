import { z } from "zod";
import { PublishedFlagOrUnknown, publishedNumberOrNone } from "./published_station_cell.ts";
import { Classification } from "./station_summary.ts";

const Bound = publishedNumberOrNone(z.number().min(0).max(1));

/** The condition of one outcome class (station paper, Table 5). A bound that is null does not exist. */
export const PublishedClassRow = z.strictObject({
  classification: Classification,
  stabilized: PublishedFlagOrUnknown,
  q_from: Bound.describe("the class begins here"),
  q_below: Bound.describe("and ends before"),
  plan_passed: PublishedFlagOrUnknown.describe("whether at least one plan passed the gate"),
});
export type PublishedClassRow = z.infer<typeof PublishedClassRow>;
