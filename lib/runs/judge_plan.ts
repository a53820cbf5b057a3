import { known } from "../core/options.ts";
import { createRng } from "../core/rng.ts";
import type { CollectedRuns } from "../live/run_experiment.ts";
import type { Registration } from "../live/registration.ts";
import type { Ledger } from "../record/read_ledger.ts";
import { holm } from "../stats/exact_tests.ts";
import { slopeDifference } from "../stats/slope_contrast.ts";

/** A plan's tests as `judgePlan` judges them. */
export interface JudgedPlan {
  readonly tests: readonly (Record<"delta" | "low" | "high" | "p" | "adjusted", number | undefined> & {
    readonly name: string;
    readonly hypothesis: string;
    readonly verdict: "shown" | "not shown" | "the opposite is shown" | "not judged";
  })[];
  readonly conditions: readonly { name: string; runs: number; flaw?: string }[];
  readonly exploratory: readonly string[];
}

/**
 * Judges the planned tests, and only those, by the plan as it was sealed. A test whose conditions are missing, were not run
 * under this seal or have too few complete runs is not judged, and counts among the tests.
 *
 * @param results conditions at hand, planned or not, with their ledgers.
 * @returns `tests`: of each `delta`, λ̂ of the condition claimed to be higher less the other's, with its interval, p and p
 * `adjusted` by Holm over all planned tests. `conditions`: how many complete runs each has, and the `flaw` that keeps them
 * from counting. `exploratory`: conditions at hand that were not planned.
 */
export function judgePlan(
  { hash, plan, conditions, replicates }: Registration,
  results: readonly (CollectedRuns & { readonly ledger: Ledger })[],
): JudgedPlan {
  const planned = conditions.map(({ name, hash: condition }) => {
    const found = results.find((one) => one.name === name);
    const runs = found?.runs.filter(({ replicate }) => replicate < replicates) ?? [];
    const flaw = found === undefined
      ? "was not run"
      : found.ledger.declaration.registered !== hash || found.ledger.declaration.hash !== condition
      ? `was not run under this registration: its ledger names ${found.ledger.declaration.registered ?? "none"}`
      : runs.length < plan.least
      ? `has ${runs.length} complete runs, fewer than ${plan.least}`
      : undefined;
    return { name, means: runs.map(({ means }) => means), ...known({ flaw }) };
  });
  const estimates = plan.tests.map(({ name, higher, lower }): Partial<ReturnType<typeof slopeDifference>> => {
    const [a, b] = [higher, lower].map((which) => planned.find((one) => one.name === which)!);
    if (a!.flaw !== undefined || b!.flaw !== undefined) return {};
    const rng = createRng(plan.seed).fork("registered").fork(name);
    return slopeDifference(a!.means, b!.means, { rng, resamples: plan.resamples, ...plan.window });
  });
  const verdict = (delta: number | undefined, p: number | undefined): JudgedPlan["tests"][number]["verdict"] => {
    if (p === undefined) return "not judged";
    if (p > plan.alpha) return "not shown";
    return delta! > 0 ? "shown" : "the opposite is shown";
  };
  const adjusted = holm(estimates.map(({ p }) => p));
  return {
    tests: plan.tests.map(({ name, hypothesis }, i) => {
      const { delta, low, high, p } = estimates[i]!;
      return { name, hypothesis, delta, low, high, p, adjusted: adjusted[i], verdict: verdict(delta, adjusted[i]) };
    }),
    conditions: planned.map(({ name, means, flaw }) => ({ name, runs: means.length, ...known({ flaw }) })),
    exploratory: results.map(({ name }) => name).filter((name) => !conditions.some((one) => one.name === name)),
  };
}
