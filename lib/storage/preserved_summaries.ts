import { PreservedSummary } from "../schema/preserved_summary.ts";
import { UserError } from "../core/user_error.ts";
import { type JsonLinesOptions, readJsonLines } from "./json_lines.ts";
import { readJson } from "./read_json.ts";
import { fileName } from "./read_text.ts";
import { isJsonLines, summaryFiles } from "./summary_files.ts";

/** A preserved summary, and where it stands. */
export interface NamedSummary {
  readonly summary: PreservedSummary;
  readonly file: string;
  /** In a file of lines, counted from 1. */
  readonly line?: number;
  /** `FILE`, or `FILE: line N`. */
  readonly name: string;
}

/** How a summary is called after where it stands. */
export const summaryPlace = (file: string, line?: number): string =>
  line === undefined ? file : `${file}: line ${line}`;

/**
 * Reads preserved summaries one by one, as they are needed: a file of a million lines takes no more memory than one of
 * ten.
 *
 * What a path stands for is told at `summaryFiles`: a `final_summary.json`, a run's or a batch's folder, a file of
 * summaries, one a line, or a folder of such files. Every summary is given as often as it stands there, each under its
 * own name: a `run_id` may come twice, for councils and rulesets share seeds.
 *
 * @throws {UserError} on a path without summaries, and on one that cannot be read, naming file, line and rule.
 */
export async function* readSummaries(path: string | URL): AsyncGenerator<NamedSummary> {
  const { files } = await summaryFiles(fileName(path));
  for (const file of files) yield* readSummaryFile(file);
}

/** The summaries of one file; options and errors as `readJsonLines`. */
export async function* readSummaryFile(
  file: string,
  options: JsonLinesOptions = {},
): AsyncGenerator<NamedSummary> {
  if (isJsonLines(file)) {
    let lines = 0;
    for await (const { value, line } of readJsonLines(file, PreservedSummary, options)) {
      lines = line;
      yield { summary: value, file, line, name: summaryPlace(file, line) };
    }
    if (lines === 0) throw new UserError(`${file}: holds no summary: it is empty; restore it, or leave it out`);
    return;
  }
  yield { summary: await readJson(file, PreservedSummary), file, name: file };
  options.onBytes?.(await Deno.readFile(file));
}

/**
 * All preserved summaries under a path, for `rescore`; errors as `readSummaries`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const floor = await loadSummaries(new URL("../../data/preserved/station/station-floor.jsonl", import.meta.url));
 * assert.deepEqual(floor.map(({ seed }) => seed), [104, 108, 109, 110, 111, 112]);
 * ```
 */
export async function loadSummaries(path: string | URL): Promise<PreservedSummary[]> {
  return await Array.fromAsync(readSummaries(path), ({ summary }) => summary);
}
