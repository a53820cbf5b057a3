import type { PublishedScore } from "../paper/score_published.ts";
import { BOUND_ASSUMPTIONS } from "../quality/published_row.ts";
import type { RescoredInFile } from "../runs/rescore_files.ts";
import { type CsvRow, toCsv } from "../core/text.ts";
import { NON_USE } from "../schema/quality_names.ts";
import { overProgress, ReaderGone } from "./command.ts";
import type { Contract } from "./score_arguments.ts";
import { contractText, publishedText, summariesHead, summaryLine, type TableSize, wrapped } from "./score_text.ts";

/** Standard output for results of any length. */
export interface Results {
  /** Writes a text, with its line end; waits for a slow reader. */
  write(text: string): Promise<void>;
  /** Writes the last block; call it at the end. */
  flush(): Promise<void>;
}

/**
 * Standard output in blocks: a million lines are neither a million calls nor kept in memory. Nothing is written before
 * a block is full, so an early failure prints nothing.
 *
 * @throws {ReaderGone} from both functions, so that an incomplete record is not kept.
 */
export function results(): Results {
  const encoder = new TextEncoder();
  let waiting: string[] = [];
  const flush = async () => {
    const bytes = encoder.encode(overProgress(Deno.stdout) + waiting.join(""));
    waiting = [];
    await writeAll(bytes);
  };
  return {
    flush,
    async write(text) {
      waiting.push(text);
      if (waiting.length >= LINES_AT_ONCE) await flush();
    },
  };
}

const LINES_AT_ONCE = 500;

/** Not `writeSync`: it blocks while the reader is slow, and Ctrl-C would have no effect. */
async function writeAll(bytes: Uint8Array): Promise<void> {
  try {
    for (let written = 0; written < bytes.length;) written += await Deno.stdout.write(bytes.subarray(written));
  } catch (cause) {
    if (!(cause instanceof Deno.errors.BrokenPipe)) throw cause;
    throw new ReaderGone("standard output was closed before the end", { cause });
  }
}

/** Format of scores: each part is a text with its line ends; a format may lack some. */
export interface ScoreFormat {
  /** True if summaries stand by rank; otherwise they are in the order of the files, and none is kept in memory. */
  readonly byRank: boolean;
  opening?(contract: Contract): string;
  summariesHead?(size: TableSize): string;
  summary(run: RescoredInFile, size: TableSize): string;
  published(scores: readonly PublishedScore[]): string;
  closing?(): string;
}

/** For people: tables with their assumptions. */
export const TEXT: ScoreFormat = {
  byRank: true,
  opening: contractText,
  summariesHead,
  summary: summaryLine,
  published: publishedText,
  closing: () => wrapped(`\n${NON_USE}\n`),
};

/** One object a line, with the names of the library; bounds carry their assumptions with them. */
export const JSON_LINES: ScoreFormat = {
  byRank: false,
  summary: ({ file: _file, line: _line, ...run }) => `${JSON.stringify(run)}\n`,
  published: (scores) =>
    scores.map((score) => `${JSON.stringify({ ...score, assumptions: BOUND_ASSUMPTIONS })}\n`).join(""),
};

/** One table for a spreadsheet. Cells that it would run as formulas become text. */
export const CSV: ScoreFormat = {
  byRank: false,
  summariesHead: (size) =>
    csvHeader(summaryRecord({ name: "", file: "", contributions: {}, old: { contributions: {} } }, size)),
  summary: (run, size) => withoutHeader(toCsv([summaryRecord(run, size)])),
  published: (scores) => toCsv(scores.map(publishedRecord)),
};

function summaryRecord({ old, missing, contributions, ...run }: RescoredInFile, { names }: TableSize): CsvRow {
  return {
    ...{ name: run.name, run_id: run.run_id, seed: run.seed, model: run.model, ruleset: run.ruleset },
    ...{ synthetic: run.synthetic, rank: run.rank, old_rank: old.rank, q: run.q, old_q: old.q },
    ...{ classification: run.classification, old_classification: old.classification },
    ...{ reason: run.reason, missing: missing?.join(" ") },
    ...Object.fromEntries(names.map((name) => [`contribution_${name}`, contributions[name]])),
  };
}

function publishedRecord({ classifications, label, ...score }: PublishedScore): CsvRow {
  return { run: label, ...score, classifications: classifications.join(" ") };
}

const csvHeader = (record: CsvRow): string => toCsv([record]).split("\n", 1)[0] + "\n";
const withoutHeader = (csv: string): string => csv.slice(csv.indexOf("\n") + 1);
