import type { Rng } from "@/core/rng.ts";
import { bootstrapSlope } from "@/stats/bootstrap_slope.ts";
import { sequentialSlope } from "@/stats/sequential.ts";
import { sequentialWidth } from "@/stats/sequential_width.ts";
import { allRecipes, type Recipe, RECIPES } from "./recipes.ts";
import { type Regime, type Seen, studyHash } from "./study.ts";

/** Looks of the design, five of them, and the width of the other; the defaults of the estimators in all else. */
export const STOPPING = { first: 8, step: 8, largest: 40, resamples: 2000, halfWidth: 0.03, atMost: 60 } as const;

const LOOKS = Array.from({ length: STOPPING.largest / STOPPING.step }, (_, i) => STOPPING.first + i * STOPPING.step);

export const stoppingHash = (): Promise<string> => studyHash(import.meta.url);

interface Interval {
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}
const holds = ({ low = NaN, high = NaN }: Interval, value: number): boolean => low <= value && value <= high;

/**
 * One ensemble under designs that may stop. `stopped at 8`: runs there were at the end, whatever was decided; `peeking`: one
 * of the looks up to there had p ≤ 0.05; `fixed`: the test of the largest number of runs, at 5 %.
 */
function look({ draw, lambda, kind }: Recipe, rng: Rng): Seen {
  const { resamples, largest, atMost, halfWidth } = STOPPING;
  const all = draw(rng.fork("runs"), atMost), runs = all.slice(0, largest);
  const zero = sequentialSlope(runs, { looks: LOOKS, rng }), n = zero.looks.at(-1)!.n;
  const against = kind === "still" ? undefined : sequentialSlope(runs, { looks: LOOKS, rng, against: "walk" });
  const fixed = n === largest ? zero.fixed : bootstrapSlope(runs, { rng: rng.fork(largest), resamples });
  const width = sequentialWidth(all, { halfWidth, atMost, rng });
  const narrow = LOOKS.map((n) => bootstrapSlope(all.slice(0, n), { rng, resamples: 500 }));
  const peeked = narrow.find(({ low = NaN, high = NaN }) => high - low <= 2 * halfWidth) ?? narrow.at(-1)!;
  const facts = {
    "growth": zero.stoppedAt !== undefined,
    [`ends at ${n}`]: true,
    "peeking": zero.looks.some(({ fixedP = 1 }) => fixedP <= 0.05),
    "fixed": (fixed.p ?? 1) <= 0.05,
    "given": zero.low !== undefined,
    "holds": holds(zero, lambda),
    "holds as if fixed": holds(zero.fixed, lambda),
    "fixed holds": holds(fixed, lambda),
    "walk": against?.stoppedAt !== undefined,
    ...(against && { [`walk ends at ${against.looks.at(-1)!.n}`]: true }),
    "width given": width.low !== undefined,
    "width holds": holds(width, lambda),
    "width is met": width.decision === "narrow",
    [`width takes ${width.needed}`]: width.needed !== undefined,
    "narrow enough holds": holds(peeked, lambda),
  };
  return {
    true: Object.entries(facts).flatMap(([name, is]) => is ? [name] : []),
    ...(zero.lambda !== undefined && { miss: zero.lambda - lambda }),
  };
}

/** Growth of 5 % a round with the noise of the recipe of 8 %: what the power of a design is told by. */
function exponential05(): Recipe {
  const slower = RECIPES.find(({ label }) => label === "exponential 0.03")!;
  return {
    ...{ ...slower, label: "exponential 0.05", lambda: 0.05 },
    draw: (rng, replicates) =>
      slower.draw(rng, replicates).map((run) => run.map((state, t) => state.map((x) => x * Math.exp(0.02 * (t + 1))))),
  };
}

/** All that is studied. */
export async function stoppingRegimes(): Promise<Regime[]> {
  return [...await allRecipes(), exponential05()].map((recipe) => ({
    ...{ label: recipe.label, replicates: LOOKS, truth: recipe.lambda },
    look: (rng) => look(recipe, rng),
  }));
}
