import type { Rng } from "../core/rng.ts";
import { divergence } from "../stats/divergence.ts";
import { lyapunovSlope } from "../stats/lyapunov_slope.ts";
import type { Trajectory } from "../stats/trajectory.ts";

interface OneRunEach {
  /** λ̂ of each draw, in nats per round; a draw whose slope is undefined is left out. */
  readonly draws: readonly number[];
  readonly undefinedDraws: number;
}

/**
 * What λ̂ comes out when one run is taken of each wording, again and again: how far a single set of six runs may be
 * believed.
 *
 * @param groups complete runs of each wording, each run [T][K].
 * @param options `resamples`: draws, default 1000; `shuffled`: take the runs from all groups pooled instead, without
 * putting back, so that wording plays no part.
 * @throws {RangeError} when fewer than two groups are given, or one has no run.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createRng } from "../core/rng.ts";
 * const run = (side: number) => Array.from({ length: 20 }, (_, t) => [0.5 + side * Math.exp(0.1 * t) / 100, 0.5]);
 * const { draws } = oneRunEach([[run(1)], [run(-1)]], { rng: createRng(1), resamples: 3 });
 * assert.deepEqual(draws.map((lambda) => lambda.toFixed(6)), ["0.100000", "0.100000", "0.100000"]);
 * ```
 */
export function oneRunEach(
  groups: readonly (readonly Trajectory[])[],
  { rng, resamples = 1000, shuffled = false }: { rng: Rng; resamples?: number; shuffled?: boolean },
): OneRunEach {
  if (groups.length < 2) throw new RangeError(`${groups.length} groups: a distance needs at least 2`);
  const empty = groups.findIndex(({ length }) => length === 0);
  if (empty >= 0) throw new RangeError(`group ${empty} holds no run: leave it out and say so`);
  const pool = groups.flat();
  const slopes = Array.from({ length: resamples }, () => {
    const runs = shuffled ? taken(pool, groups.length, rng) : groups.map((group) => group[rng.int(group.length)]!);
    return lyapunovSlope(divergence(runs)).lambda;
  });
  const draws = slopes.filter((lambda) => lambda !== undefined);
  return { draws, undefinedDraws: resamples - draws.length };
}

/** `count` different items, by the first steps of a shuffle. */
function taken<T>(items: readonly T[], count: number, rng: Rng): T[] {
  const left = [...items];
  return Array.from({ length: count }, () => left.splice(rng.int(left.length), 1)[0]!);
}

/**
 * How likely runs of one committee are to part between two options at least as evenly as `minority` against the rest,
 * when each run ends in the less frequent option with probability `share`, independently.
 *
 * With a share taken from a few runs the result is a guide, not a test: the share is uncertain itself.
 *
 * @param options `runs`: how many; `minority`: runs on the smaller side, at most half; `share`: such as a flip rate.
 * @throws {RangeError} when a number is out of range.
 *
 * @example Two runs of a fair coin part with probability one half
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(splitChance({ runs: 2, minority: 1, share: 0.5 }), 0.5);
 * ```
 */
export function splitChance(
  { runs, minority, share }: { readonly runs: number; readonly minority: number; readonly share: number },
): number {
  if (!Number.isSafeInteger(runs) || runs < 1) throw new RangeError(`runs is ${runs}: must be a whole number from 1`);
  if (!Number.isSafeInteger(minority) || minority < 0 || 2 * minority > runs) {
    throw new RangeError(`minority is ${minority}: must be a whole number from 0 to half of ${runs} runs`);
  }
  if (!(share >= 0 && share <= 1)) throw new RangeError(`share is ${share}: must lie between 0 and 1`);
  let [ways, total] = [1, 0];
  for (let k = 0; k <= runs - minority; k++) {
    if (k >= minority) total += ways * share ** k * (1 - share) ** (runs - k);
    ways = ways * (runs - k) / (k + 1);
  }
  return total;
}
