import type { UndefinedReason } from "./input_checks.ts";
import { lyapunovSlope } from "./lyapunov_slope.ts";
import { checkWindow, type RoundWindow } from "./round_window.ts";
import { checkRuns, type Trajectory } from "./trajectory.ts";
import type { ErrorKind } from "./kernel/kernel.ts";
import { weightedForms } from "./weighted_forms.ts";

/** The slope of the runs as they are, or why there is none. */
type ObservedSlope =
  | { readonly lambda: number; readonly error?: number; readonly reason?: "missing-rounds" }
  | { readonly lambda?: never; readonly error?: never; readonly reason: UndefinedReason };

/**
 * What `bootstrapSlope`, `permutationNull` and `slopeDifference` start from. A `lambda` with the reason
 * `missing-rounds` rests on part of the window: neither an interval nor a p-value may be put to it.
 *
 * @param options `name`: what the runs are called in messages; `kind`: of the `error`, by default none.
 */
export function observedSlope(
  runs: readonly Trajectory[],
  window: RoundWindow,
  { name, kind = "none" }: { name?: string; kind?: ErrorKind } = {},
): ObservedSlope {
  const R = runs.length, { rounds } = checkRuns(runs, name);
  if (R > 0) checkWindow(window, rounds);
  if (R < 2) return { reason: "too-few-replicates" };
  const { sums, errors } = weightedForms(runs, new Int32Array(R).fill(1), window, kind);
  // Which rounds they are does not matter to a slope.
  const D = Array.from(sums, (sum) => sum / (R * (R - 1)));
  const { lambda, dropped, reason } = lyapunovSlope(D, { from: 1, to: D.length });
  if (lambda === undefined) return { reason: reason! };
  if (dropped.length > 0) return { lambda, reason: "missing-rounds" };
  return kind === "none" ? { lambda } : { lambda, error: errors[0]! };
}

/**
 * Whether at least three runs differ from one another within the window. With two, however often each is there, every
 * resample that has a slope has the sample's own, and an interval would have no width.
 */
export function threeDiffer(runs: readonly Trajectory[], { from, to }: RoundWindow): boolean {
  const different: Trajectory[] = [];
  const same = (a: Trajectory, b: Trajectory) => {
    for (let t = from - 1; t < to; t++) if (!a[t]!.every((value, k) => value === b[t]![k])) return false;
    return true;
  };
  for (const run of runs) {
    if (!different.some((other) => same(run, other))) different.push(run);
    if (different.length === 3) return true;
  }
  return false;
}
