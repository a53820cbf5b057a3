import { createRng } from "../core/rng.ts";
import { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { evolve } from "./evolve.ts";
import type { FitTarget } from "./fit_targets.ts";
import { simulatedLambda } from "./simulated_lambda.ts";

/** A number that a fit moves, on a scale where steps of one size are alike everywhere. */
export interface Knob {
  readonly get: (parameters: SurrogateParameters) => number;
  readonly set: (parameters: SurrogateParameters, value: number) => void;
  readonly scale: "log" | "logit" | "linear";
}

/** What every search of the fit is told. */
export interface FitOptions {
  readonly seed: number;
  readonly generations: number;
  /** Runs in each simulated ensemble; its seed is fixed, so the loss is a function. */
  readonly replicates: number;
  readonly onGeneration?: ((generation: number, loss: number) => void) | undefined;
}

const toScale = { log: Math.log, logit: (x: number) => Math.log(x / (1 - x)), linear: (x: number) => x };
const fromScale = { log: Math.exp, logit: (x: number) => 1 / (1 + Math.exp(-x)), linear: (x: number) => x };

/** One R = 20 estimate of λ̂ scatters by about this much, nats per round: the unit of the loss. */
const LAMBDA_SCATTER = 0.01;
/** Keeps numbers that the targets do not determine near where they started. */
const RIDGE = 0.05;

/**
 * Moves some numbers of a parameter set towards published λ̂, by least squares in units of their scatter.
 *
 * @param start parameters to begin at; what has no knob is kept from them.
 * @param options `population`, `step`: of the search; `penalty`: a further loss.
 * @returns the parameters, what was moved rounded to four digits, and the loss before rounding.
 */
export async function fitKnobs(
  start: SurrogateParameters,
  knobs: readonly Knob[],
  targets: readonly FitTarget[],
  { seed, generations, replicates, population, step, penalty = () => 0, onGeneration }: FitOptions & {
    readonly population: number;
    readonly step: number;
    readonly penalty?: (parameters: SurrogateParameters) => number;
  },
): Promise<{ parameters: SurrogateParameters; loss: number }> {
  const origin = knobs.map(({ get, scale }) => toScale[scale](get(start)));
  const loss = (point: readonly number[]): number => {
    const parameters = atPoint(start, knobs, point);
    const misfit = targets.reduce((sum, { spec, lambda }, i) => {
      const simulated = simulatedLambda(spec, parameters, seed + i, replicates) ?? Infinity;
      return sum + ((simulated - lambda) / LAMBDA_SCATTER) ** 2;
    }, 0);
    const ridge = point.reduce((sum, value, i) => sum + RIDGE * (value - origin[i]!) ** 2, 0);
    return misfit + ridge + penalty(parameters);
  };
  const { best, loss: reached } = await evolve(loss, origin, {
    rng: createRng(seed).fork("evolve"),
    generations,
    population,
    step,
    ...(onGeneration && { onGeneration }),
  });
  return { parameters: SurrogateParameters.parse(atPoint(start, knobs, best, 4)), loss: reached };
}

/** A parameter set moved to a point; what is not fitted stays. */
function atPoint(
  parameters: SurrogateParameters,
  knobs: readonly Knob[],
  point: readonly number[],
  digits?: number,
): SurrogateParameters {
  const moved = structuredClone(parameters);
  knobs.forEach(({ set, scale }, i) => {
    const value = fromScale[scale](point[i]!);
    set(moved, digits === undefined ? value : Number(value.toPrecision(digits)));
  });
  return moved;
}
