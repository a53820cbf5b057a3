import { inertText } from "../core/text.ts";
import type { PublishedScore } from "../paper/score_published.ts";
import { BOUND_ASSUMPTIONS } from "../quality/published_row.ts";
import type { RescoredInFile } from "../runs/rescore_files.ts";
import { CLASSIFICATIONS, COMPONENTS } from "../schema/quality_names.ts";
import type { Contract } from "./score_arguments.ts";

/** How many runs a table has and how wide what names them is; a table of any length is laid out before its rows. */
export interface TableSize {
  count: number;
  synthetic: number;
  width: number;
}

/** A table's size before the first run is counted. */
export const emptySize = (): TableSize => ({ count: 0, synthetic: 0, width: "run".length });

/** Takes a run into the size of its table. */
export function grow(size: TableSize, run: RescoredInFile): void {
  size.count++;
  if (run.synthetic) size.synthetic++;
  size.width = Math.max(size.width, runText(run).length);
}

/** Under which contract scores were made. */
export function contractText({ label, weights, thresholds, normalised }: Contract): string {
  const used = COMPONENTS.filter((name) => (weights[name] ?? 0) > 0)
    .map((name) => `${name} ${Number(weights[name]!.toFixed(4))}`);
  return `weights ${inertText(label)}${normalised ? ", normalised" : ""}: ${used.join(", ")}\n` +
    `strong from ${thresholds.strong}, adequate from ${thresholds.adequate}\n`;
}

/** What stands above the rows of re-scored summaries. */
export function summariesHead(size: TableSize): string {
  const { count, synthetic } = size;
  const whose = synthetic === 0 ? "" : `; ${synthetic} synthetic: no language model took part in them`;
  return `\n${count} ${count === 1 ? "summary" : "summaries"}${whose}\n\n${
    line(size, ["rank", "old", "run", "q", "old q", "class", "old class", "change", "file"])
  }`;
}

/** One re-scored summary. What is not known is a hyphen, never a number. */
export function summaryLine(run: RescoredInFile, size: TableSize): string {
  const { rank, q, classification, old, name } = run;
  return line(size, [
    ...[text(rank), text(old.rank), runText(run), digits(q), digits(old.q)],
    ...[classification ?? UNKNOWN, old.classification ?? UNKNOWN, changeText(run), oneLine(name)],
  ]);
}

const UNKNOWN = "-";

const CLASS_WIDTH = Math.max(...CLASSIFICATIONS.map((name) => name.length));

function line({ count, width }: TableSize, cells: readonly string[]): string {
  const ranks = Math.max(4, String(count).length);
  const widths = [-ranks, -ranks, width, -6, -6, CLASS_WIDTH, CLASS_WIDTH, 20, 0];
  return `${aligned(cells, widths)}\n`;
}

/** Cells side by side; a negative width sets a cell to the right. */
function aligned(cells: readonly string[], widths: readonly number[]): string {
  return cells.map((cell, i) => widths[i]! < 0 ? cell.padStart(-widths[i]!) : cell.padEnd(widths[i]!)).join("  ")
    .trimEnd();
}

function runText({ run_id, model, seed, ruleset }: RescoredInFile): string {
  const named = run_id ?? ([model, seed].filter((part) => part !== undefined).join(" ") || UNKNOWN);
  return oneLine(ruleset === undefined ? named : `${named} (${ruleset})`);
}

/** Text from a file must neither break a row nor command the terminal. */
const oneLine = (words: string): string => inertText(words).replaceAll(/\s+/g, " ");

const text = (value: number | undefined): string => value === undefined ? UNKNOWN : String(value);
const digits = (value: number | undefined): string => value === undefined ? UNKNOWN : value.toFixed(4);

function changeText({ gained, classification, missing, old }: RescoredInFile): string {
  if (missing) return `not computable: ${missing.join(", ")} not known`;
  const otherClass = classification !== undefined && old.classification !== undefined &&
    classification !== old.classification;
  return [moveText(gained), ...(otherClass ? ["other class"] : [])].join(", ");
}

function moveText(gained: number | undefined): string {
  if (gained === undefined) return "no old rank";
  if (gained === 0) return "same rank";
  return gained > 0 ? `up ${gained}` : `down ${-gained}`;
}

/** Published runs: what is compatible with the printed values, and what that rests on. */
export function publishedText(scores: readonly PublishedScore[]): string {
  const rows = scores.map(publishedCells);
  const header = ["run", "table", "printed q", "q from", "to", "rank", "order", "printed class", "possible classes"];
  const width = (i: number) => Math.max(...[header, ...rows].map((cells) => cells[i]!.length));
  const isNumber = (i: number) => 2 <= i && i <= 4;
  const widths = header.map((_, i) => isNumber(i) ? -width(i) : width(i));
  return [
    `\n${scores.length} published runs: every q is an interval, all that is compatible with the printed values\n`,
    ...[header, ...rows].map((cells) => aligned(cells, widths)),
    "\nassumed:",
    ...BOUND_ASSUMPTIONS.map((assumption) => `- ${assumption}`),
    "",
  ].join("\n");
}

function publishedCells(
  { label, source, q, low, high, best, worst, statement, classification, classifications }: PublishedScore,
): string[] {
  const rank = best === worst ? String(best) : `${best}-${worst}`;
  return [
    ...[oneLine(label), source, q.toFixed(3), digits(low), digits(high)],
    ...[rank, statement, classification, classifications.join(" or ")],
  ];
}
