import type { IntervalRow } from "../figures/interval_plot.ts";
import type { MeasuredCondition } from "./measure_conditions.ts";
import type { SlopeEffect } from "./slope_effect.ts";
import { type StatedVerdict, verdictWords } from "./stated_verdict.ts";
import { verdict } from "./verdict.ts";

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

type Runs = Pick<MeasuredCondition, "accounting">;

/** An effect with what is needed to name its runs, and the paper's statement where it is compared with one. */
interface Effect extends Pick<SlopeEffect<MeasuredCondition>, "delta" | "low" | "high" | "reason"> {
  readonly full?: Runs;
  readonly changed?: Runs;
  readonly verdict?: StatedVerdict;
}

/**
 * A row for `intervalPlot`: a fall of λ̂ with its interval and the runs of both committees, and how it stands to a
 * published number, or where there is none to a statement.
 */
export function effectRow(
  { delta: value, low, high, reason, full, changed, verdict: stated }: Effect,
  { label, published }: { label: string; published?: number | undefined },
): IntervalRow {
  const runs = [full, changed].map((one) => one?.accounting.realised ?? 0);
  const words = [
    runs[0] === runs[1] ? `n = ${runs[0]} each` : `n = ${runs.join(" and ")}`,
    ...(published === undefined ? [] : [verdict(published, { low, high })]),
    ...(stated === undefined ? [] : [verdictWords(stated)]),
  ];
  return { label, value, low, high, reason, published, verdict: words.join("; ") };
}
