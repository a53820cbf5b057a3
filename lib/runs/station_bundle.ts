import { strToU8, type Zippable, zipSync } from "fflate";
import { mean } from "simple-statistics";
import { UserError } from "../core/user_error.ts";
import { PUBLISHED_THRESHOLDS } from "../quality/classify.ts";
import { ranks } from "../quality/ranks.ts";
import { rescore } from "../quality/rescore.ts";
import { NAMED_WEIGHTS, PUBLISHED_WEIGHTS } from "../quality/weights.ts";
import { COMPONENTS, NON_USE } from "../schema/quality_names.ts";
import { writeWhole } from "../record/files.ts";
import { MANIFEST, manifestText, summaryText } from "../station/station_files.ts";
import { cardName, cardText, readStationBatch, type StationBatch } from "../live/station_batch.ts";
import { type CsvRow, toCsv } from "../core/text.ts";
import words from "./bundle_words.json" with { type: "json" };
import { type StationQuote, verifyQuotes } from "./station_quotes.ts";
import * as report from "./station_report.ts";

/** The definition of each component in words. */
const DEFINITIONS: Readonly<Record<typeof COMPONENTS[number], string>> = words.definitions;

/** The scoring formula as a text for people: components, weights and classes (station paper, Appendix A). */
export function formulaText(): string {
  const { strong, adequate } = PUBLISHED_THRESHOLDS;
  const rows = COMPONENTS.map((name) => `| ${name} | ${PUBLISHED_WEIGHTS[name].toFixed(2)} | ${DEFINITIONS[name]} |`);
  const components = ["| component | weight | from the raw values |", "| --- | --- | --- |", ...rows].join("\n");
  return report.textOf(words.formula, { components, strong: strong.toFixed(2), adequate: adequate.toFixed(2) });
}

/**
 * Writes the results bundle of a batch as a zip: what is needed to audit and recompute its numbers, and nothing of the raw
 * traces. In it are the report, aggregate tables, the councils under other weights, per-run summaries, the cards of the
 * seeds, the scoring formula, the manifest and the quotations; events, model calls, prompts and recaps stay where they are (station paper, section 11.3 and Appendix F). Equal batches
 * give equal bytes.
 *
 * @param root folder of the batch, with its manifest.
 * @param options `quotes`: quotations to publish; each is verified first.
 * @returns the names in the zip, sorted.
 * @throws {UserError} when the batch is not what its manifest says, a quotation is not in its run, the batch is empty or
 * the zip cannot be written.
 */
export async function exportBundle(
  root: string,
  zipPath: string,
  { quotes = [] }: { readonly quotes?: readonly StationQuote[] } = {},
): Promise<string[]> {
  const batch = await readStationBatch(root);
  if (batch.summaries.length === 0) throw new UserError(`${root}: its manifest names no run; run the batch first`);
  await verifyQuotes(quotes, root);
  // A map, for runs on one seed share its card.
  const files = new Map(bundleFiles(batch, quotes).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  // Local time, as the zip writer reads it back: the earliest date a zip can hold, wherever it is made.
  const entries: Zippable = Object.fromEntries([...files].map(([name, text]) => [name, strToU8(text)]));
  writeWhole(zipPath, zipSync(entries, { mtime: new Date(1980, 0, 1) }));
  return [...files.keys()];
}

type NamedText = [name: string, text: string];

function bundleFiles({ manifest, summaries, cards }: StationBatch, quotes: readonly StationQuote[]): NamedText[] {
  const whole = report.aggregateStation(summaries);
  return [
    ["README.md", report.textOf(words.readme, { runs: summaries.length, nonUse: NON_USE })],
    ["report.md", report.batchReport(summaries)],
    ["formula.md", formulaText()],
    [MANIFEST, manifestText(manifest)],
    ["tables/councils.csv", toCsv(report.councilRows(whole))],
    ["tables/seeds.csv", toCsv(report.seedRows(whole))],
    ["tables/runs.csv", toCsv(report.runRows(summaries))],
    ["tables/sensitivity.csv", toCsv(sensitivityRows(whole))],
    ...(quotes.length > 0 ? quoteFiles(quotes) : []),
    ...cards.map((card, i): NamedText => [cardName(summaries[i]!), cardText(card)]),
    ...summaries.map((summary, i): NamedText => [`summaries/${manifest[i]!.run_id}.json`, summaryText(summary)]),
  ];
}

/** The councils, and the clerk alone, under every named weighting: mean q, its rank among them, and runs by class. */
function sensitivityRows({ councils, floor }: ReturnType<typeof report.aggregateStation>): CsvRow[] {
  const all = [...councils, ...(floor ? [floor] : [])];
  return Object.entries(NAMED_WEIGHTS).flatMap(([weighting, { weights }]) => {
    const scored = all.map(({ summaries }) => rescore(summaries, weights));
    const means = scored.map((own) => mean(own.map(({ q }) => q!)));
    const places = ranks(means);
    return all.map(({ council, ruleset, synthetic }, i) => ({
      ...{ weighting, council, ruleset, synthetic, runs: scored[i]!.length, q_mean: means[i]!, rank: places[i]! },
      ...report.countClasses(scored[i]!),
    }));
  });
}

/** Quotations as a table for people, and as data: a spreadsheet's apostrophe is no character of a quotation. */
const quoteFiles = (quotes: readonly StationQuote[]): NamedText[] => [
  ["quotes.csv", toCsv(quotes.map((quote) => ({ ...quote })))],
  ["quotes.json", `${JSON.stringify(quotes, null, 2)}\n`],
];
