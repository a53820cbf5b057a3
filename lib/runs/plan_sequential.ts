import { sum } from "d3-array";
import { checkOptions, known } from "../core/options.ts";
import { planCalls } from "../live/plan_calls.ts";
import type { Condition } from "../schema/condition.ts";
import type { Lineups } from "../schema/providers.ts";
import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { studentTBound } from "../stats/distributions.ts";
import { spend, type Spending, type SpentLook, stopChances } from "../stats/group_sequential.ts";
import { referenceSlopes } from "../stats/lyapunov_slope.ts";
import type { Trajectory, UndefinedReason, WindowOptions } from "../stats/trajectory.ts";
import { slopeError } from "../stats/weighted_slopes.ts";

export interface PlanSequentialOptions extends WindowOptions {
  /** As for `sequentialSlope`, and so are `alpha`, `spending` and `against`. */
  readonly looks: readonly number[];
  readonly alpha?: number | undefined;
  readonly spending?: Spending | undefined;
  readonly against?: "zero" | "walk" | undefined;
  /** Runs of the condition or of something like it, each [T][K]: they give what is not assumed. */
  readonly pilot?: readonly Trajectory[] | undefined;
  /** The true slope that is assumed, nats per round; by default the pilot's, which is a guess. */
  readonly lambda?: number | undefined;
  /** Standard error of λ̂ times √runs, nats per round; by default the pilot's. */
  readonly spread?: number | undefined;
  /** The condition to be run: its calls are then planned, and their cost by `prices`. */
  readonly condition?: Condition | undefined;
  readonly prices?: Lineups["prices"] | undefined;
  readonly parameters?: SurrogateParameters | undefined;
}

/** An expected amount, and the most there may be. */
interface Amount {
  readonly expected: number;
  readonly most: number;
}

/** Without looks and with a `reason` where the pilot has no slope or no error. */
export interface SequentialPlan {
  /** `level`: the nominal one, absent where the look cannot stop; `chance` to stop at it. */
  readonly looks: { readonly n: number; readonly level?: number; readonly chance: number }[];
  /** Chance to stop at any look. */
  readonly power?: number;
  readonly runs?: Amount;
  readonly calls?: Amount;
  /** US$; absent where a model has no price. */
  readonly usd?: Amount;
  readonly reason?: UndefinedReason;
}

/**
 * What `sequentialSlope` will need: the chance to stop at each look, and the runs, calls and dollars to be expected.
 *
 * Z at a look of n runs is taken to be normal with mean (λ − λ₀)·√m/spread, λ₀ being the slope that it is tested against,
 * and m = n/(1 + t²/(2(n − 1))): with an error that n runs must tell too, Z has a noncentral t distribution, of which this is
 * the usual approximation at the look's bound t.
 *
 * @throws {TypeError} where neither a pilot nor both `lambda` and `spread` are given.
 * @throws {RangeError} on malformed runs and a spread that is not positive.
 *
 * @example Nothing to find: it stops with chance α, and takes nearly all runs
 * ```ts
 * import assert from "node:assert/strict";
 * const { power, runs } = await planSequential({ looks: [8, 12, 16, 20], lambda: 0, spread: 0.1 });
 * assert.equal(power!.toFixed(2), "0.05");
 * assert.ok(runs!.expected > 19 && runs!.most === 20);
 * ```
 */
export async function planSequential(options: PlanSequentialOptions): Promise<SequentialPlan> {
  const names = "looks! alpha spending against pilot lambda spread condition prices parameters from to";
  const { looks, alpha = 0.05, spending = "pocock", against = "zero", pilot, condition, prices, parameters, from, to } =
    checkOptions("planSequential", options, names);
  if (!pilot && (options.lambda === undefined || options.spread === undefined)) {
    throw new TypeError("planSequential needs a pilot, or both lambda and spread");
  }
  const found: Partial<ReturnType<typeof slopeError>> = pilot ? slopeError(pilot, { from, to }) : {};
  const { lambda = found.lambda, spread = found.error && found.error * Math.sqrt(pilot!.length) } = options;
  if (lambda === undefined || spread === undefined) return { looks: [], ...known({ reason: found.reason }) };
  if (!(spread > 0 && Number.isFinite(spread))) throw new RangeError(`spread is ${spread}: must be positive`);
  const most = looks.at(-1)!, settings = { alpha, spending, sides: 1, largest: most, finest: 0 } as const;
  const bounds = spend(looks.map((information, i) => ({ information, isLast: i === looks.length - 1 })), settings);
  const tested = against === "walk" ? referenceSlopes({ from, to }).randomWalk : 0;
  const effective = bounds.map((look) => ({ ...look, information: look.information / strictness(look) }));
  const chances = stopChances(effective, (lambda - tested) / spread).map(({ above }) => above);
  const power = sum(chances), runs = { expected: sum(chances, (c, i) => c * looks[i]!) + (1 - power) * most, most };
  const cost = condition && (await planCalls([condition], { replicates: 1, prices, parameters })).total;
  const times = (each: number): Amount => ({ expected: runs.expected * each, most: most * each });
  return {
    looks: looks.map((n, i) => ({ n, ...known({ level: bounds[i]!.level }), chance: chances[i]! })),
    ...{ power, runs },
    ...(cost && { calls: times(cost.calls), ...(cost.usd !== undefined && { usd: times(cost.usd) }) }),
  };
}

/** The factor by which it takes more information to reach a look's bound, because the error is estimated too. */
function strictness({ information: n, level }: SpentLook): number {
  return level === undefined ? 1 : 1 + studentTBound(1 - 2 * level, n - 1) ** 2 / (2 * (n - 1));
}
