/** Some of all. */
interface Share {
  readonly part: number;
  readonly whole: number;
}

/** Tables whose probabilities differ by less, relatively, are equally likely. */
const TIE = 1e-9;

/**
 * Fisher's exact test of two shares, two-sided: the probability, both margins given, of all tables that are no likelier
 * than the one observed.
 *
 * @param a `part` of `whole`, whole numbers, 0 ≤ part ≤ whole and whole ≥ 1.
 * @param b the other share.
 * @returns p in (0, 1].
 * @throws {RangeError} on counts that are no share.
 * @example Three of three against none of three: two of the twenty tables
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const p = fisherExact({ part: 3, whole: 3 }, { part: 0, whole: 3 });
 * assert.ok(Math.abs(p - 2 / 20) < 1e-12);
 * ```
 */
export function fisherExact(a: Share, b: Share): number {
  for (const share of [a, b]) check(share);
  const parts = a.part + b.part;
  const first = Math.max(0, parts - b.whole);
  const possible = Array.from({ length: Math.min(a.whole, parts) - first + 1 }, (_, i) => first + i);
  const logs = possible.map((part) => logChoose(a.whole, part) + logChoose(b.whole, parts - part));
  const observed = logs[a.part - first]!;
  const weights = logs.map((log) => Math.exp(log - observed));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return sum(weights.filter((weight) => weight <= 1 + TIE)) / sum(weights);
}

function logChoose(n: number, k: number): number {
  let log = 0;
  for (let i = 1; i <= k; i++) log += Math.log((n - k + i) / i);
  return log;
}

function check({ part, whole }: Share): void {
  if ([part, whole].every(Number.isInteger) && part >= 0 && whole >= 1 && part <= whole) return;
  throw new RangeError(`${part} of ${whole}: must be whole numbers, 0 or more of at least 1`);
}
