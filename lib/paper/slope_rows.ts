import { lowToHigh } from "../core/numbers.ts";
import type { IntervalRow } from "../plots/interval_plot.ts";
import type { MeasuredCondition } from "../runs/measure_runs.ts";
import { verdict } from "./verdict.ts";

/** A measured condition under the name that a notebook gives it, with what the paper prints of it. */
export interface SlopeCell extends MeasuredCondition {
  readonly label: string;
  /** λ̂ as published; absent: not published. */
  readonly published?: number | undefined;
  /** Runs behind it as published. */
  readonly publishedRuns?: number | undefined;
}

/** A table's row. */
interface SlopeRow {
  readonly condition: string;
  readonly published: number | undefined;
  readonly "published n": number | undefined;
  readonly measured: number | undefined;
  readonly "95 % interval": string | undefined;
  readonly "published value is": string;
  readonly n: string;
  readonly "missing, by cause": string;
  readonly [column: string]: string | number | undefined;
}

/** λ̂ published beside measured as rows of `table`: runs that count, of those planned, and why others do not. */
export function slopeRows(cells: readonly SlopeCell[]): SlopeRow[] {
  return cells.map(({ label, published, publishedRuns, lambda, low, high, accounting }) => ({
    condition: label,
    published,
    "published n": publishedRuns,
    measured: lambda,
    "95 % interval": lowToHigh({ low, high }),
    "published value is": verdict(published, { low, high }),
    n: `${accounting.realised} of ${accounting.target}`,
    "missing, by cause": causeWords(accounting.causes),
  }));
}

/** The same as rows of `intervalPlot`; where runs are missing the label says how many count. */
export function slopeIntervals(cells: readonly SlopeCell[]): IntervalRow[] {
  return cells.map((
    { label, published, lambda, low, high, studentised, reason, accounting: { realised, target } },
  ) => ({
    label: realised < target ? `${label} (n = ${realised} of ${target})` : label,
    value: lambda,
    published,
    ...{ low, high, reason, studentisedLow: studentised.low, studentisedHigh: studentised.high },
    verdict: verdict(published, { low, high }),
  }));
}

/** `unreadable_state:missing 2, unfinished 1`; `none` where nothing is missing. */
export function causeWords(causes: Readonly<Record<string, number>>): string {
  const words = Object.entries(causes).map(([cause, count]) => `${cause} ${count}`);
  return words.length === 0 ? "none" : words.join(", ");
}

type Slope = Pick<MeasuredCondition, "lambda" | "low" | "high" | "studentised" | "reason" | "accounting">;

/** A row for `intervalPlot`: λ̂ of a condition with both intervals, its runs, and how a published value stands to it. */
export function slopeRow(
  { lambda: value, low, high, studentised, reason, accounting: { target, realised } }: Slope,
  { label, published }: { label: string; published?: number | undefined },
): IntervalRow {
  const runs = `n = ${realised}${realised === target ? "" : ` of ${target}`}`;
  return {
    ...{ label, value, low, high, reason, published },
    studentisedLow: studentised.low,
    studentisedHigh: studentised.high,
    verdict: published === undefined ? runs : `${runs}; ${verdict(published, { low, high })}`,
  };
}
