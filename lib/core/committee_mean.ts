/**
 * The committee's mean preference: the mean over agents of one round's preferences, [N][K] to [K], options in order.
 *
 * @param agents at least one, all with K shares.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.deepEqual(committeeMean([[1, 0], [0.5, 0.5]]), [0.75, 0.25]);
 * ```
 */
export function committeeMean(agents: readonly (readonly number[])[]): number[] {
  return agents[0]!.map((_, k) => agents.reduce((sum, preferences) => sum + preferences[k]!, 0) / agents.length);
}
