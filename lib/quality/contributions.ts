import type { ComponentName, Components } from "../schema/station_summary.ts";
import { clamp01 } from "./clamp01.ts";
import { PUBLISHED_WEIGHTS, usedComponents, type Weights } from "./weights.ts";

/**
 * What each component adds to q: weight times component, in the order of `COMPONENTS`. Only components that are both
 * used and known appear; where all used ones are, the contributions sum to q (before its clamp to [0, 1]).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(contributions({ trust: 0.5 }, { trust: 0.2, coalition: 0.8 }), { trust: 0.1 });
 * ```
 * @throws {UserError} on weights for a name that is no component.
 * @throws {RangeError} on a weight that is negative or not finite, or when none is above 0.
 */
export function contributions(
  components: Components,
  weights: Weights = PUBLISHED_WEIGHTS,
): Partial<Record<ComponentName, number>> {
  const parts: Partial<Record<ComponentName, number>> = {};
  for (const name of usedComponents(weights)) {
    const component = components[name];
    if (component !== undefined) parts[name] = weights[name]! * component;
  }
  return parts;
}

/** The q of which these are all the contributions. */
export function sumOfContributions(parts: Readonly<Partial<Record<ComponentName, number>>>): number {
  return clamp01(Object.values(parts).reduce((sum, part) => sum + part, 0));
}
