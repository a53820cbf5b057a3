import type { PublishedStatedEffectRow } from "./published_deliberation.ts";

/** What runs say of a stated sign. */
export type SignVerdict = "agrees" | "disagrees" | "not resolved" | "not stated" | "no interval";

/**
 * Whether runs agree with a sign that the paper states without a number. An interval that holds zero leaves the sign open,
 * whatever the estimate: it is "not resolved", never agreement.
 *
 * @param stated "positive", or "near zero or negative", which only an interval above zero contradicts; see
 * `loadStatedEffects`.
 * @param interval of the effect.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(signVerdict("positive", { low: 0.01, high: 0.03 }), "agrees");
 * assert.equal(signVerdict("positive", { low: -0.01, high: 0.03 }), "not resolved");
 * ```
 */
export function signVerdict(
  stated: PublishedStatedEffectRow["sign"],
  { low, high }: { readonly low?: number | undefined; readonly high?: number | undefined },
): SignVerdict {
  if (stated === undefined) return "not stated";
  if (low === undefined || high === undefined) return "no interval";
  if (low <= 0 && high >= 0) return "not resolved";
  return (stated === "positive") === (low > 0) ? "agrees" : "disagrees";
}
