import { componentNames, type ComponentValues, type ForAllComponents } from "../schema/quality_names.ts";
import { type OwnOptions, unitWeights, type Weights } from "./weights.ts";

/** The smallest change of weights at which two runs have equal scores. */
interface NearestFlip {
  /** Of every component, summing to 1: the scores are equal there; beyond, b is above a. Absent when there are none. */
  readonly weights?: ForAllComponents;
  /** Sum of the absolute changes: twice the weight that is moved, so at most 2. 0 where b is not below a already. */
  readonly distance?: number;
  /** No component has b above a, so no weights do. */
  readonly reason?: "dominated";
}

/**
 * The weights nearest to `weights` at which run b scores no less than run a, and beyond which it scores more.
 *
 * The distance is the sum of absolute changes (L1) over weights that are not negative and sum to 1. Each unit of weight
 * moved from component j to component k brings the runs closer by the advantage of a in j less that in k. So the nearest
 * weights take from the components with the largest advantage, all that they have, one after the other, and give to the
 * component with the smallest, until the scores are equal. The solution need not be the only one of its distance.
 *
 * @param a components of one run, all nine and those of one's own, each in [0, 1].
 * @param b those of another.
 * @param weights that sum to 1.
 * @example Trust decides: a third of the distance between a and b is made up by 0.25 of the weight
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const rest = { info_integrity: 0, public_order: 0, time_to_pass: 0, passed_depth: 0, containment: 0, coalition: 0,
 *   schema_independence: 0 };
 * const a = { ...rest, executability: 1, trust: 0 }, b = { ...rest, executability: 0, trust: 1 };
 * const { weights, distance } = nearestFlip(a, b, { executability: 0.75, trust: 0.25 });
 * assert.deepEqual([weights?.executability, weights?.trust, distance], [0.5, 0.5, 0.5]);
 * assert.equal(nearestFlip(a, { ...b, trust: 0 }, { trust: 1 }).reason, "dominated");
 * ```
 * @throws {UserError} on weights for a name that is not a component.
 * @throws {RangeError} on weights that are negative, not finite or do not sum to 1, and on a component that is missing or
 * outside [0, 1].
 */
export function nearestFlip(
  a: ComponentValues,
  b: ComponentValues,
  weights: Weights,
  { components }: OwnOptions = {},
): NearestFlip {
  const unit = unitWeights(weights, { components });
  const names = componentNames(components);
  const flipped = names.map((name) => unit[name] ?? 0);
  const advantages = names.map((name) => level("a", name, a) - level("b", name, b));
  const least = Math.min(...advantages);
  if (least >= 0) return { reason: "dominated" };
  const taker = advantages.indexOf(least);
  let ahead = advantages.reduce((sum, advantage, i) => sum + flipped[i]! * advantage, 0);
  let moved = 0;
  for (const giver of byAdvantage(advantages)) {
    if (ahead <= 0 || giver === taker) break;
    const gain = advantages[giver]! - least;
    const step = Math.min(flipped[giver]!, ahead / gain);
    flipped[giver]! -= step;
    flipped[taker]! += step;
    ahead -= step * gain;
    moved += step;
  }
  return {
    weights: Object.fromEntries(names.map((name, i) => [name, flipped[i]!])) as ForAllComponents,
    distance: 2 * moved,
  };
}

/** Indices, the largest advantage first. */
const byAdvantage = (advantages: readonly number[]): number[] =>
  advantages.map((_, i) => i).sort((i, j) => advantages[j]! - advantages[i]!);

function level(run: string, name: string, components: ComponentValues): number {
  const value = components[name];
  if (value !== undefined && value >= 0 && value <= 1) return value;
  throw new RangeError(`the component ${name} of ${run} must be in [0, 1], found ${value}`);
}
