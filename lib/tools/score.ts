import { dirname, relative, resolve } from "node:path";
// @ts-types="@types/d3-array"
import { sum } from "d3-array";
import { progress } from "../notebook/progress.ts";
import { readPublishedRows } from "../paper/published_rows.ts";
import { scorePublished } from "../paper/score_published.ts";
import { BOUND_ASSUMPTIONS } from "../quality/published_row.ts";
import { provenance } from "../record/provenance.ts";
import { type RescoredInFile, rescoreFiles } from "../runs/rescore_files.ts";
import {
  openRescoring,
  RESCORING_SCHEMA,
  rescoringPath,
  rescoringPlace,
  type RescoringRow,
} from "../runs/rescoring.ts";
import { componentNames } from "../schema/quality_names.ts";
import { summaryFiles, summaryPlace } from "../runs/summary_files.ts";
import { badArguments, flags, interruptible, runCommand, say } from "./command.ts";
import { type Contract, isPublished, readContract, readTolerance } from "./score_arguments.ts";
import { CSV, JSON_LINES, type Results, results, type ScoreFormat, TEXT } from "./score_formats.ts";
import type { TableSize } from "./score_text.ts";
import HELP from "./help/score.txt" with { type: "text" };

const options = {
  ...flags("string", "weights", "thresholds"),
  ...flags("boolean", "normalise", "record", "json", "csv"),
  tolerance: { type: "string", default: "1e-9" },
} as const;

/** The settings of one call of the command. */
interface Work {
  readonly contract: Contract;
  readonly tolerance: number;
  readonly format: ScoreFormat;
  readonly store: boolean | undefined;
  readonly out: Results;
}

const isTable = (path: string): boolean => /\.csv$/i.test(path);

/** The files of all paths, each once: a run that was counted twice would move every rank below it. */
async function filesOf(paths: readonly string[]): Promise<string[]> {
  const found = new Map<string, string>();
  for (const path of paths) {
    const { files, leftOut } = await summaryFiles(path);
    if (leftOut.length > 0) say(`score: ${path}: leaves out ${leftOut.join(", ")}; name a file to have it scored`);
    for (const file of files) {
      const real = await Deno.realPath(file);
      if (found.has(real)) throw badArguments(`${file} is named twice; its runs would be ranked against themselves`);
      found.set(real, file);
    }
  }
  return [...found.values()];
}

/** Shows the progress of reading some files twice. */
async function readingProgress(files: readonly string[]) {
  const total = 2 * sum(await Promise.all(files.map(async (file) => (await Deno.stat(file)).size)));
  const bar = await progress("Percent read", 100);
  let [bytes, shown] = [0, 0];
  return {
    onRead(size: number) {
      bytes += size;
      const percent = Math.min(100, Math.floor(100 * bytes / total));
      if (percent > shown) void bar.advance(percent - shown);
      shown = Math.max(shown, percent);
    },
    finish: () => bar.finish(),
  };
}

async function scoreSummaries(
  paths: readonly string[],
  { contract, tolerance, format, store, out }: Work,
): Promise<void> {
  const { weights, thresholds, components } = contract;
  const files = await filesOf(paths);
  const size: TableSize = { names: componentNames(components), count: 0, synthetic: 0, ungoverned: 0 };
  const onRun = ({ synthetic, reason }: RescoredInFile) => {
    size.count++;
    if (synthetic) size.synthetic++;
    if (reason === "ungoverned") size.ungoverned++;
  };
  const { onRead, finish } = await readingProgress(files);
  const work = async (signal: AbortSignal) => {
    const options = { thresholds, components, tolerance, onRun, signal, onRead };
    const scored = await rescoreFiles(files, weights, options);
    using record = store && !isPublished(contract) ? await openRecord(paths, contract, scored) : undefined;
    await out.write(format.summariesHead?.(size) ?? "");
    const ranked: { readonly rank: number; readonly line: string }[] = [];
    for await (const run of scored.rows()) {
      const line = format.summary(run, size);
      if (format.byRank) ranked.push({ rank: run.rank ?? Infinity, line });
      else await out.write(line);
      record?.append(recordRow(run, dirname(record.path)));
    }
    for (const { line } of ranked.sort(({ rank: a }, { rank: b }) => a === b ? 0 : a - b)) await out.write(line);
    if (record) say(`score: ${record.finish() === "written" ? "kept as" : "was kept before, as"} ${record.path}`);
  };
  await interruptible(work).finally(finish);
}

async function openRecord(
  paths: readonly string[],
  { label: _, ...contract }: Contract,
  { hash, count }: { readonly hash: string; readonly count: number },
) {
  const place = await rescoringPlace(paths);
  const inputs = { hash, count, source: [...place.source] };
  const head = { schema: RESCORING_SCHEMA, made: provenance(), ...contract, inputs } as const;
  return openRescoring(rescoringPath(head, place), head);
}

/** Files are named from the folder of the record, so that both can be moved together. */
function recordRow({ file, line, missing, ...row }: RescoredInFile, folder: string): RescoringRow {
  const name = summaryPlace(relative(folder, resolve(file)), line);
  return { ...row, name, ...(missing && { missing: [...missing] }) };
}

if (import.meta.main) {
  await runCommand({
    name: "score",
    help: HELP,
    options,
    async run({ values, positionals }) {
      if (positionals.length === 0) throw badArguments("name a summary, a folder of them or a published table");
      const { json, csv } = values;
      if (json && csv) throw badArguments("--json and --csv are two formats: give one of them");
      const format = json ? JSON_LINES : csv ? CSV : TEXT;
      const [tables, paths] = [positionals.filter(isTable), positionals.filter((path) => !isTable(path))];
      if (csv && tables.length > 0 && paths.length > 0) {
        throw badArguments("--csv prints one table: score summaries and published tables one after the other");
      }
      const contract = await readContract(values);
      const tolerance = readTolerance(values.tolerance);
      const out = results();
      const rows = await Array.fromAsync(tables, (path) => readPublishedRows(path));
      const published = scorePublished(rows.flat(), contract.weights, contract);
      await out.write(format.opening?.(contract) ?? "");
      const work = { contract, tolerance, format, store: values.record, out };
      if (paths.length > 0) await scoreSummaries(paths, work);
      if (published.length > 0) await out.write(format.published(published));
      // The CSV table has no place for them.
      if (published.length > 0 && csv) say(`score: assumed: ${BOUND_ASSUMPTIONS.join("; ")}`);
      await out.write(format.closing?.() ?? "");
      await out.flush();
    },
  });
}
