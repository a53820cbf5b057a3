import type { RunAccounting } from "../storage/accounting.ts";

/**
 * The accounting of several conditions as one.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const one = { name: "a", target: 20, realised: 19, deficit: 1, causes: { timeout: 1 } };
 * const two = { name: "b", target: 20, realised: 18, deficit: 2, causes: { timeout: 1, quota: 1 } };
 * const { realised, causes } = joinAccounting("both", [one, two]);
 * assert.deepEqual([realised, causes], [37, { timeout: 2, quota: 1 }]);
 * ```
 */
export function joinAccounting(name: string, parts: readonly RunAccounting[]): RunAccounting {
  const total = (key: "target" | "realised" | "deficit") => parts.reduce((sum, part) => sum + part[key], 0);
  const causes = new Map<string, number>();
  for (const [cause, count] of parts.flatMap((part) => Object.entries(part.causes))) {
    causes.set(cause, (causes.get(cause) ?? 0) + count);
  }
  return {
    ...{ name, target: total("target"), realised: total("realised"), deficit: total("deficit") },
    causes: Object.fromEntries(causes),
  };
}
