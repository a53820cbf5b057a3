import { inertText } from "../core/text.ts";
import type { PublishedScore } from "../paper/score_published.ts";
import { BOUND_ASSUMPTIONS } from "../quality/published_row.ts";
import type { RescoredInFile } from "../runs/rescore_files.ts";
import { type Classification, componentNames, ownWords, UNGOVERNED_WORDS } from "../schema/quality_names.ts";
import type { Contract } from "./score_arguments.ts";

/** How many runs a table has, how many of them are synthetic, and how many were asked of models that filled no slot. */
export interface TableSize {
  /** Components that a row may have. */
  readonly names: readonly string[];
  count: number;
  synthetic: number;
  ungoverned: number;
}

/** What fits beside each other in a terminal. */
const COLUMNS = 100;

const UNKNOWN = "-";

/** Prose of any length in lines that fit. */
export const wrapped = (text: string): string =>
  text.replaceAll(new RegExp(`(?=[^\\n]{${COLUMNS + 1}})([^\\n]{1,${COLUMNS}}) `, "g"), "$1\n");

/** Under which contract scores were made. */
export function contractText({ label, weights, components, thresholds, normalised }: Contract): string {
  const used = componentNames(components).filter((name) => (weights[name] ?? 0) > 0)
    .map((name) => `${name} ${Number(weights[name]!.toFixed(4))}`);
  return wrapped(
    `weights ${inertText(label)}${normalised ? ", normalised" : ""}: ${used.join(", ")}\n` +
      ownWords(components).map((words) => `${inertText(words)}\n`).join("") +
      `BENCHMARK_STRONG from ${thresholds.strong}, BENCHMARK_ADEQUATE from ${thresholds.adequate}\n`,
  );
}

/** What stands above the rows of re-scored summaries. */
export function summariesHead(size: TableSize): string {
  const { count, synthetic, ungoverned } = size;
  const whose = synthetic === 0 ? "" : `; ${synthetic} synthetic: no language model took part in them`;
  const apart = ungoverned === 0 ? "" : `; ${ungoverned} ${UNGOVERNED_WORDS}, listed last and in no rank`;
  return `\n${count} ${count === 1 ? "summary" : "summaries"}${whose}${apart}\n\n${
    line(size, ["rank", "old", "q", "old q", "class", "run"])
  }`;
}

/** One re-scored summary. What is not known is a hyphen, never a number. */
export function summaryLine(run: RescoredInFile, size: TableSize): string {
  const { rank, q, old } = run;
  const ranks = [rank, old.rank].map((value) => value === undefined ? UNKNOWN : String(value));
  return line(size, [...ranks, digits(q), digits(old.q), classText(run), runText(run)]);
}

const CLASS_WIDTH = "FAILED_AFTER_VALID_PLAN".length;

function line({ count }: TableSize, cells: readonly string[]): string {
  const ranks = Math.max(4, String(count).length);
  return `${aligned(cells, [-ranks, -ranks, -6, -6, CLASS_WIDTH, 0])}\n`;
}

/** Cells side by side, cut where the terminal ends; a negative width sets a cell to the right. */
function aligned(cells: readonly string[], widths: readonly number[]): string {
  const text = cells
    .map((cell, i) => widths[i]! < 0 ? cell.padStart(-widths[i]!) : cell.padEnd(widths[i]!))
    .join("  ").trimEnd();
  return text.length > COLUMNS ? `${text.slice(0, COLUMNS - 1)}…` : text;
}

/** A class as people say it, and what it was where it has changed. */
function classText({ classification, reason, old }: RescoredInFile): string {
  if (reason === "ungoverned") return reason;
  if (classification === undefined) return UNKNOWN;
  const changed = old.classification !== undefined && old.classification !== classification;
  return `${short(classification)}${changed ? ` (was ${short(old.classification)})` : ""}`;
}

const short = (name: Classification): string => name.replace("BENCHMARK_", "");

function runText({ run_id, model, seed, ruleset, name, missing }: RescoredInFile): string {
  const named = run_id ?? ([model, seed].filter((part) => part !== undefined).join(" ") || name);
  const rules = ruleset === undefined ? "" : ` (${ruleset})`;
  return oneLine(`${named}${rules}${missing ? `: ${missing.join(", ")} not known` : ""}`);
}

/** Text from a file must neither break a row nor command the terminal. */
const oneLine = (words: string): string => inertText(words).replaceAll(/\s+/g, " ");

const digits = (value: number | undefined): string => value === undefined ? UNKNOWN : value.toFixed(4);

/** Published runs, best first: what is compatible with the printed values, and what that rests on. */
export function publishedText(scores: readonly PublishedScore[]): string {
  const best = scores.toSorted((a, b) => a.best - b.best || a.worst - b.worst);
  const rows = [["rank", "rank is", "printed q", "q from", "to", "class", "run"], ...best.map(publishedCells)];
  const width = (i: number) => Math.max(...rows.map((cells) => cells[i]!.length));
  const widths = [-width(0), width(1), -width(2), -width(3), -width(4), width(5), 0];
  return [
    `\n${scores.length} published runs: every q is an interval, all that is compatible with the printed values\n`,
    ...rows.map((cells) => aligned(cells, widths)),
    "\nassumed:",
    ...BOUND_ASSUMPTIONS.map((assumption) => wrapped(`- ${assumption}`)),
    "",
  ].join("\n");
}

function publishedCells(score: PublishedScore): string[] {
  const { label, source, q, low, high, best, worst, statement, classification, classifications } = score;
  const possible = classifications.map(short).join("/");
  const printed = classifications.includes(classification) ? "" : ` (printed ${short(classification)})`;
  return [
    ...[best === worst ? String(best) : `${best}-${worst}`, statement],
    ...[q.toFixed(3), digits(low), digits(high)],
    ...[`${possible}${printed}`, `${oneLine(label)}, ${source}`],
  ];
}
