import { z } from "zod";
import { PublishedFlag, publishedNumber } from "./published_cell.ts";
import { Classification } from "./station_summary.ts";

/** One run in which no model acted, only the harness's fallback (station paper, Table 8). */
export const PublishedNoModelRow = z.strictObject({
  seed: publishedNumber(z.int()),
  stabilized: PublishedFlag,
  q: publishedNumber(z.number().min(0).max(1)),
  classification: Classification,
  public_order_margin: publishedNumber(z.number()).describe("public order at the end less 0.35"),
  active_rumors: publishedNumber(z.int().min(0)),
});
export type PublishedNoModelRow = z.infer<typeof PublishedNoModelRow>;
