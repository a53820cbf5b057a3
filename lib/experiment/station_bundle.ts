import { strToU8, type Zippable, zipSync } from "fflate";
import { UserError } from "../core/user_error.ts";
import { NON_USE } from "../station/non_use.ts";
import { type CsvRow, stationCsv } from "../storage/station_csv.ts";
import { MANIFEST } from "../storage/station_files.ts";
import { manifestText } from "../storage/station_manifest.ts";
import type { StationQuote } from "../storage/station_quote.ts";
import { summaryText } from "../storage/station_run.ts";
import { writeWhole } from "../storage/write_whole.ts";
import { aggregateStation, councilRows, runRows, seedRows } from "./station_aggregate.ts";
import { readStationBatch, type StationBatch } from "./station_batch.ts";
import { formulaText } from "./station_formula.ts";
import { verifyQuotes } from "./station_quotes.ts";
import { batchReport } from "./station_report.ts";

export interface ExportBundleOptions {
  /** Quotations to publish; each is verified first. */
  readonly quotes?: readonly StationQuote[] | undefined;
  /** Rows of a table of alternate weightings, where one was made. */
  readonly sensitivity?: readonly CsvRow[] | undefined;
}

/**
 * Writes the results bundle of a batch as a zip: what is needed to audit and recompute its numbers, and nothing of the raw
 * traces. In it are the report, aggregate tables, per-run summaries, the scoring formula, the manifest and the quotations;
 * events, model calls, prompts and recaps stay where they are (station paper, section 11.3 and Appendix F). Equal batches
 * give equal bytes.
 *
 * @param root folder of the batch, with its manifest.
 * @returns the names in the zip, sorted.
 * @throws {UserError} when the batch is not what its manifest says, a quotation is not in its run, the batch is empty or
 * the zip cannot be written.
 */
export async function exportBundle(
  root: string,
  zipPath: string,
  options: ExportBundleOptions = {},
): Promise<string[]> {
  const batch = await readStationBatch(root);
  if (batch.summaries.length === 0) throw new UserError(`${root}: its manifest names no run; run the batch first`);
  await verifyQuotes(options.quotes ?? [], root);
  const files = new Map([...bundleFiles(batch, options)].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  // Local time, as the zip writer reads it back: the earliest date a zip can hold, wherever it is made.
  const entries: Zippable = Object.fromEntries([...files].map(([name, text]) => [name, strToU8(text)]));
  writeWhole(zipPath, zipSync(entries, { mtime: new Date(1980, 0, 1) }));
  return [...files.keys()];
}

function bundleFiles(
  { manifest, summaries }: StationBatch,
  { quotes, sensitivity }: ExportBundleOptions,
): Map<string, string> {
  const whole = aggregateStation(summaries);
  return new Map([
    ["README.md", readme(summaries.length)],
    ["report.md", batchReport(summaries)],
    ["formula.md", formulaText()],
    [MANIFEST, manifestText(manifest)],
    ["tables/councils.csv", stationCsv(councilRows(whole))],
    ["tables/seeds.csv", stationCsv(seedRows(whole))],
    ["tables/runs.csv", stationCsv(runRows(summaries))],
    ...(sensitivity ? [["tables/sensitivity.csv", stationCsv(sensitivity)] as const] : []),
    ...(quotes ? quoteFiles(quotes) : []),
    ...summaries.map((summary, i) => [`summaries/${manifest[i]!.run_id}.json`, summaryText(summary)] as const),
  ]);
}

/** As a table for people, and as data: a spreadsheet's apostrophe is no character of a quotation. */
const quoteFiles = (quotes: readonly StationQuote[]): [string, string][] => [
  ["quotes.csv", stationCsv(quotes.map((quote) => ({ ...quote })))],
  ["quotes.json", `${JSON.stringify(quotes, null, 2)}\n`],
];

const readme = (runs: number): string =>
  [
    "# Mosaic-9: results bundle",
    `**Not for use:** ${NON_USE}`,
    `In here: the comparison report, aggregate tables, the summaries of ${runs} runs, the scoring formula, the run ` +
    "manifest and, where there are any, verified quotations. q, components and classes can be recomputed from the " +
    "summaries with the formula alone.",
    "Not in here: events, model calls, prompts and recaps. The SHA-256 in the manifest says which events file a summary " +
    "was made of. The bundle supports audit and recomputation, it does not promise that a live run would come out the " +
    "same again.",
  ].join("\n\n") + "\n";
