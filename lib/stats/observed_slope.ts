import { divergence } from "./divergence.ts";
import type { UndefinedReason } from "./input_checks.ts";
import { lyapunovSlope } from "./lyapunov_slope.ts";
import { checkWindow, type RoundWindow } from "./round_window.ts";
import { checkRuns, type Trajectory } from "./trajectory.ts";

/** The slope of the runs as they are, or why there is none. */
type ObservedSlope =
  | { readonly lambda: number; readonly reason?: "missing-rounds" }
  | { readonly lambda?: never; readonly reason: UndefinedReason };

/**
 * What `bootstrapSlope`, `permutationNull` and `slopeDifference` start from. A `lambda` with the reason
 * `missing-rounds` rests on part of the window: neither an interval nor a p-value may be put to it.
 */
export function observedSlope(runs: readonly Trajectory[], window: RoundWindow, name?: string): ObservedSlope {
  const { rounds } = checkRuns(runs, name);
  if (runs.length > 0) checkWindow(window, rounds);
  if (runs.length < 2) return { reason: "too-few-replicates" };
  const { lambda, dropped, reason } = lyapunovSlope(divergence(runs), window);
  if (lambda === undefined) return { reason: reason! };
  return dropped.length > 0 ? { lambda, reason: "missing-rounds" } : { lambda };
}

/**
 * Whether at least three runs differ from one another within the window. With two, however often each is there, every
 * resample that has a slope has the sample's own, and an interval would have no width.
 */
export function threeDiffer(runs: readonly Trajectory[], { from, to }: RoundWindow): boolean {
  const paths = new Set<string>();
  for (const run of runs) {
    paths.add(JSON.stringify(run.slice(from - 1, to)));
    if (paths.size === 3) return true;
  }
  return false;
}
