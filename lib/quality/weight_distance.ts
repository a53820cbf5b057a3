import { COMPONENTS } from "../schema/quality_names.ts";
import type { Weights } from "./weights.ts";

/**
 * How far two weightings are apart: the sum of absolute differences (L1). Between weightings that sum to 1 it is at most
 * 2, and twice the weight that has to be moved.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(weightDistance({ trust: 1 }, { trust: 0.75, coalition: 0.25 }), 0.5);
 * ```
 */
export function weightDistance(a: Weights, b: Weights): number {
  return COMPONENTS.reduce((sum, name) => sum + Math.abs((a[name] ?? 0) - (b[name] ?? 0)), 0);
}
