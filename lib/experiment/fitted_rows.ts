import { createRng } from "../core/rng.ts";
import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import type { FitTarget } from "./fit_targets.ts";
import { type PredictionInterval, predictionInterval } from "./prediction_interval.ts";
import { simulatedLambda } from "./simulated_lambda.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** A target of the fit beside fresh ensembles of the surrogate; λ̂ in nats per round. */
export interface FittedRow extends PredictionInterval {
  readonly name: string;
  readonly published: number;
  readonly verdict: Verdict;
}

/** The fit's targets, each with the mean of some fresh ensembles and where one of them falls (95 %). */
export function fittedRows(
  targets: readonly FitTarget[],
  parameters: SurrogateParameters,
  { seed, ensembles, replicates = 20 }: { seed: number; ensembles: number; replicates?: number },
): FittedRow[] {
  return targets.map(({ name, lambda, n = replicates, spec }) => {
    const keys = Array.from({ length: ensembles }, (_, e) => createRng(seed).fork(name).fork(e).key);
    const interval = predictionInterval(keys.map((key) => simulatedLambda(spec, parameters, key, n)));
    return { name, published: lambda, ...interval, verdict: verdict(lambda, interval) };
  });
}
