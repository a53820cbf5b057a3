import { unknownName } from "../core/unknown_name.ts";
import { type ComponentName, COMPONENTS } from "../schema/quality_names.ts";

/** What each component counts for in q. A component without a weight, or with weight 0, is not used. */
export type Weights = Readonly<Partial<Record<ComponentName, number>>>;

/** The nine weights of the station paper (Table 4, Appendix A). They sum to 1; the designers chose them by judgement. */
export const PUBLISHED_WEIGHTS: Readonly<Record<ComponentName, number>> = Object.freeze({
  executability: 0.22,
  public_order: 0.16,
  info_integrity: 0.12,
  trust: 0.10,
  time_to_pass: 0.12,
  passed_depth: 0.10,
  containment: 0.08,
  coalition: 0.06,
  schema_independence: 0.04,
});

/**
 * The components that `weights` use, in the order of `COMPONENTS`.
 *
 * @throws {UserError} on a name that is no component (`exitCode` 2, naming the nearest).
 * @throws {RangeError} on a weight that is negative or not finite, and when no weight is above 0: q would mean nothing.
 */
export function usedComponents(weights: Weights): ComponentName[] {
  for (const [name, weight] of Object.entries(weights)) {
    if (!COMPONENTS.some((component) => component === name)) throw unknownName("component", name, COMPONENTS);
    if (weight === undefined || (Number.isFinite(weight) && weight >= 0)) continue;
    throw new RangeError(`the weight of ${name} must be a number of at least 0, found ${weight}`);
  }
  const used = COMPONENTS.filter((name) => (weights[name] ?? 0) > 0);
  if (used.length === 0) throw new RangeError("at least one weight must be above 0");
  return used;
}

/** How far from 1 a sum of weights may be before it counts as a mistake: the rounding of nine sums. */
const SUM_TOLERANCE = 1e-9;

/**
 * Weights that sum to 1, as a re-scoring needs them: otherwise its q would not be comparable with the published one.
 *
 * @param options `normalise` divides by the sum; without it, weights that do not sum to 1 are refused, never mended.
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(unitWeights({ trust: 1, coalition: 3 }, { normalise: true }), { trust: 0.25, coalition: 0.75 });
 * assert.throws(() => unitWeights({ trust: 1, coalition: 3 }), /the weights sum to 4, not 1/);
 * ```
 * @throws {UserError} on a name that is no component.
 * @throws {RangeError} on a negative or non-finite weight, no weight above 0, and a sum other than 1
 * when normalising was not asked for.
 */
export function unitWeights(weights: Weights, { normalise = false }: { normalise?: boolean } = {}): Weights {
  const used = usedComponents(weights);
  const sum = used.reduce((total, name) => total + weights[name]!, 0);
  if (!Number.isFinite(sum)) {
    throw new RangeError(`the weights are too large to sum: ${Object.values(weights).join(", ")}`);
  }
  if (normalise) return Object.fromEntries(used.map((name) => [name, weights[name]! / sum]));
  if (Math.abs(sum - 1) <= SUM_TOLERANCE) return weights;
  throw new RangeError(`the weights sum to ${Number(sum.toPrecision(12))}, not 1: mend them, or ask for normalising`);
}
