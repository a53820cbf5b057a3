import { z } from "zod";
import { STATION_FILES } from "./station_files.ts";

/**
 * Where an excerpt comes from. `model output` is a language model's; what a program wrote in a council's place is
 * `synthetic output`; a shock or a background role's line is a `scripted event`, the clerk's words a `scripted broadcast`.
 */
export const QuoteSource = z.enum(["model output", "synthetic output", "scripted event", "scripted broadcast"]);
export type QuoteSource = z.infer<typeof QuoteSource>;

/** One row of the quote provenance table, after Table 10 of the station paper. */
export const StationQuote = z.strictObject({
  excerpt: z.string().min(1),
  source: QuoteSource,
  run: z.string().describe("run id, the name of its folder"),
  entity: z.string().describe("the role or background role that said it"),
  file: z.enum([STATION_FILES.calls, STATION_FILES.events]),
  line: z.int().min(1),
});
export type StationQuote = z.infer<typeof StationQuote>;
