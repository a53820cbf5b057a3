import { createRng } from "../core/rng.ts";
import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { divergence } from "../stats/divergence.ts";
import { lyapunovSlope } from "../stats/lyapunov_slope.ts";
import { type CommitteeSpec, simulateCommittee } from "./simulate_committee.ts";

/** λ̂ of a simulated ensemble of R runs; undefined where the runs do not differ. */
export function simulatedLambda(
  spec: CommitteeSpec,
  parameters: SurrogateParameters,
  seed: number,
  replicates: number,
): number | undefined {
  const rng = createRng(seed);
  const runs = Array.from({ length: replicates }, (_, replicate) => {
    const stream = rng.fork(replicate);
    return simulateCommittee(spec, parameters, () => stream).map(committeeMean);
  });
  return lyapunovSlope(divergence(runs)).lambda;
}

/** Mean over agents of one round's preferences, [N][K] to [K]. */
export function committeeMean(round: readonly (readonly number[])[]): number[] {
  return round[0]!.map((_, k) => round.reduce((sum, p) => sum + p[k]!, 0) / round.length);
}
