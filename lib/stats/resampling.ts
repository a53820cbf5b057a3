import type { Rng } from "../core/rng.ts";

/**
 * Up to how many equally likely outcomes one 53-bit number may decide. The choice that reaches this limit still has
 * 2³² levels to choose by, as many as a draw of its own from a 32-bit generator.
 */
const OUTCOMES_A_NUMBER = 2 ** 21;

/** Choices among n, equally likely: what one choice does not use of its number is uniform again, and makes the next. */
function chooser(rng: Rng): (n: number) => number {
  let u = 0, outcomes = Infinity;
  return (n) => {
    outcomes *= n;
    if (outcomes > OUTCOMES_A_NUMBER) {
      u = rng.next();
      outcomes = n;
    }
    const x = u * n, choice = Math.floor(x);
    u = x - choice;
    return choice;
  };
}

/**
 * The number of times that each of R replicates is drawn, for `resamples` resamples of R with replacement.
 *
 * @returns counts, shape [resamples][R], row by row; every row sums to R.
 */
export function resampleCounts(rng: Rng, replicates: number, resamples: number): Int32Array {
  const counts = new Int32Array(resamples * replicates), choose = chooser(rng);
  for (let row = 0; row < counts.length; row += replicates) {
    for (let draw = 0; draw < replicates; draw++) counts[row + choose(replicates)]!++;
  }
  return counts;
}

/**
 * Shuffles every row of a matrix for itself and in place (Fisher-Yates), each order equally likely.
 *
 * @param rows row by row, each of length `width`.
 */
export function shuffleRows(rows: Int32Array, width: number, rng: Rng): void {
  for (let start = 0; start < rows.length; start += width) {
    const choose = chooser(rng);
    for (let n = width; n > 1; n--) {
      const last = start + n - 1, other = start + choose(n);
      const kept = rows[last]!;
      rows[last] = rows[other]!;
      rows[other] = kept;
    }
  }
}
