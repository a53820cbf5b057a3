import { distance } from "fastest-levenshtein";

/**
 * The candidates spelt most like `name`, nearest first: what to offer after a name nobody knows.
 *
 * Nearness is the Levenshtein distance without regard to case; equal distances keep the candidates' order.
 *
 * @param options `count`: how many to give at most, 3 by default.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.deepEqual(nearest("hl01", ["CL-04", "IM-01", "HL-01"], { count: 1 }), ["HL-01"]);
 * ```
 */
export function nearest(name: string, candidates: Iterable<string>, { count = 3 }: { count?: number } = {}): string[] {
  const wanted = name.toLowerCase();
  return [...candidates]
    .map((candidate) => ({ candidate, steps: distance(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.steps - b.steps)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}
