import { createRng } from "@/core/rng.ts";
import type { SurrogateParameters } from "@/schema/surrogate_parameters.ts";
import { atPoint, type FitOptions, fitSurrogate, pointOf, STAGE_ONE_KNOBS } from "./fit.ts";
import type { LossTerm } from "./loss.ts";

/** A start's width on each number's scale: a factor of about e^±0.5, or half a logit. */
const JITTER = 0.5;
/** Refits look around more widely than the committed fit, which starts where searches before it ended. */
const STEP = 0.25;

/**
 * Fits stage 1 from some other starts around a parameter set: numbers that come back are determined, numbers that scatter
 * are not. `data/predictions/refits.json` holds what was found.
 *
 * @param options `starts`; the rest as in `fitSurrogate`; `onStart` is told each as it ends.
 * @returns how far starts were from the committed numbers (`jitter`: normal, on each number's own scale); `losses` and
 * each parameter's `values`, of the committed numbers first, then of each start; `spread`: largest less smallest, on the scale.
 */
export async function refits(
  committed: SurrogateParameters,
  terms: readonly LossTerm[],
  { starts, onStart = () => {}, ...options }: FitOptions & {
    starts: number;
    onStart?: (start: number, loss: number) => void;
  },
) {
  const here = pointOf(committed, STAGE_ONE_KNOBS);
  const own = await fitSurrogate(committed, terms, { ...options, generations: 0 });
  const found = [own];
  for (let start = 1; start <= starts; start++) {
    const rng = createRng(options.seed).fork("starts").fork(start);
    const begin = atPoint(committed, STAGE_ONE_KNOBS, here.map((value) => value + JITTER * rng.normal()));
    found.push(await fitSurrogate(begin, terms, { ...options, step: STEP }));
    onStart(start, found.at(-1)!.loss);
  }
  const points = found.map(({ parameters }) => pointOf(parameters, STAGE_ONE_KNOBS));
  return {
    jitter: JITTER,
    losses: found.map(({ loss }) => Number(loss.toFixed(2))),
    parameters: STAGE_ONE_KNOBS.map(({ name, scale, get }, i) => {
      const on = points.map((point) => point[i]!);
      const spread = Number((Math.max(...on) - Math.min(...on)).toFixed(2));
      return { name, scale, values: found.map(({ parameters }) => Number(get(parameters).toPrecision(4))), spread };
    }),
  };
}
