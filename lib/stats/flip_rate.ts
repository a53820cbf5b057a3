/**
 * Share of runs whose final decision is not the most frequent one.
 *
 * Zero means that every run ended alike. Which of several equally frequent decisions is called modal does not matter.
 *
 * Source: Shimao et al., "Chaotic Dynamics in Multi-LLM Deliberation", Table S5.
 *
 * @param decisions one final decision a run. A run without a decision must be left out, and said to be, by the caller.
 * @throws {RangeError} when there are none.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(flipRate(["A", "B", "A", "A"]), 0.25);
 * ```
 */
export function flipRate(decisions: readonly string[]): number {
  if (decisions.length === 0) throw new RangeError("decisions is empty: a rate needs at least one run");
  const counts = new Map<string, number>();
  for (const decision of decisions) counts.set(decision, (counts.get(decision) ?? 0) + 1);
  return (decisions.length - Math.max(...counts.values())) / decisions.length;
}
