import type { Rng } from "../core/rng.ts";

/**
 * Up to how many equally likely outcomes one 53-bit number may decide. The choice that reaches this limit still has
 * 2³² levels to choose by, as many as a draw of its own from a 32-bit generator.
 */
const OUTCOMES_A_NUMBER = 2 ** 21;

/**
 * How often each of R replicates is drawn, for `resamples` resamples of R with replacement.
 *
 * @returns counts, shape [resamples][R], row by row; every row sums to R.
 */
export function resampleCounts(rng: Rng, replicates: number, resamples: number): Int32Array {
  const counts = new Int32Array(resamples * replicates);
  const perNumber = Math.max(1, Math.floor(Math.log(OUTCOMES_A_NUMBER) / Math.log(replicates)));
  let u = 0, left = 0;
  for (let row = 0; row < counts.length; row += replicates) {
    for (let draw = 0; draw < replicates; draw++) {
      if (left-- === 0) {
        u = rng.next();
        left = perNumber - 1;
      }
      const x = u * replicates;
      const choice = Math.floor(x);
      u = x - choice; // what the choice did not use: uniform again
      counts[row + choice]!++;
    }
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
    let u = 0, outcomes = Infinity;
    for (let n = width; n > 1; n--) {
      outcomes *= n;
      if (outcomes > OUTCOMES_A_NUMBER) {
        u = rng.next();
        outcomes = n;
      }
      const x = u * n;
      const choice = Math.floor(x);
      u = x - choice;
      const last = start + n - 1, other = start + choice;
      const kept = rows[last]!;
      rows[last] = rows[other]!;
      rows[other] = kept;
    }
  }
}

/**
 * Resamples as lists of the replicates they hold. About 0.63 R replicates are in a resample, so products over pairs
 * need only 0.40 of the multiplications.
 *
 * Lists are filled up to a multiple of four with weight 0, so that rows can be taken four at a time.
 */
export interface SparseSamples {
  /** Number of replicates R. */
  readonly size: number;
  /** Sample s has the members offsets[s]…offsets[s + 1] − 1. */
  readonly offsets: Int32Array;
  /** Which replicate. */
  readonly members: Int32Array;
  /** How often it was drawn. */
  readonly weights: Float64Array;
}

/** @param counts shape [samples][size], row by row. */
export function sparseSamples(counts: Int32Array, size: number): SparseSamples {
  const samples = counts.length / size;
  const offsets = new Int32Array(samples + 1);
  for (let s = 0; s < samples; s++) {
    let held = 0;
    for (let i = 0; i < size; i++) if (counts[s * size + i]! > 0) held++;
    offsets[s + 1] = offsets[s]! + 4 * Math.ceil(held / 4);
  }
  const members = new Int32Array(offsets[samples]!);
  const weights = new Float64Array(offsets[samples]!);
  for (let s = 0; s < samples; s++) {
    let at = offsets[s]!;
    for (let i = 0; i < size; i++) {
      if (counts[s * size + i] === 0) continue;
      members[at] = i;
      weights[at++] = counts[s * size + i]!;
    }
  }
  return { size, offsets, members, weights };
}

/**
 * The quadratic form wᵀ d w of one sample, which is R(R−1) times its D.
 *
 * @param d symmetric matrix [R][R], row by row, zero on its diagonal.
 */
export function quadraticForm(d: Float64Array, samples: SparseSamples, sample: number): number {
  const { size, offsets, members, weights } = samples;
  const start = offsets[sample]!, end = offsets[sample + 1]!;
  let pairs = 0;
  for (let a = start; a < end; a += 4) {
    const m1 = members[a + 1]!, m2 = members[a + 2]!, m3 = members[a + 3]!;
    const row0 = members[a]! * size, row1 = m1 * size, row2 = m2 * size, row3 = m3 * size;
    const w0 = weights[a]!, w1 = weights[a + 1]!, w2 = weights[a + 2]!, w3 = weights[a + 3]!;
    // The pairs within the four, then those with the members before them.
    let y0 = w1 * d[row0 + m1]! + w2 * d[row0 + m2]! + w3 * d[row0 + m3]!;
    let y1 = w2 * d[row1 + m2]! + w3 * d[row1 + m3]!, y2 = w3 * d[row2 + m3]!, y3 = 0;
    for (let b = start; b < a; b++) {
      const j = members[b]!, w = weights[b]!;
      y0 += w * d[row0 + j]!;
      y1 += w * d[row1 + j]!;
      y2 += w * d[row2 + j]!;
      y3 += w * d[row3 + j]!;
    }
    pairs += w0 * y0 + w1 * y1 + w2 * y2 + w3 * y3;
  }
  return 2 * pairs;
}

/**
 * As `quadraticForm`, with the products that it is made of.
 *
 * @param products filled with (d·w) of each member, in the order of the sample's list.
 */
export function quadraticProducts(
  d: Float64Array,
  { size, offsets, members, weights }: SparseSamples,
  sample: number,
  products: Float64Array,
): number {
  const start = offsets[sample]!, end = offsets[sample + 1]!;
  let form = 0;
  for (let a = start; a < end; a += 4) {
    const m1 = members[a + 1]!, m2 = members[a + 2]!, m3 = members[a + 3]!;
    const row0 = members[a]! * size, row1 = m1 * size, row2 = m2 * size, row3 = m3 * size;
    const w0 = weights[a]!, w1 = weights[a + 1]!, w2 = weights[a + 2]!, w3 = weights[a + 3]!;
    const d01 = d[row0 + m1]!, d02 = d[row0 + m2]!, d03 = d[row0 + m3]!;
    const d12 = d[row1 + m2]!, d13 = d[row1 + m3]!, d23 = d[row2 + m3]!;
    let y0 = 0, y1 = 0, y2 = 0, y3 = 0;
    for (let b = start; b < a; b++) {
      const j = members[b]!, w = weights[b]!;
      const d0 = d[row0 + j]!, d1 = d[row1 + j]!, d2 = d[row2 + j]!, d3 = d[row3 + j]!;
      y0 += w * d0;
      y1 += w * d1;
      y2 += w * d2;
      y3 += w * d3;
      products[b - start]! += w0 * d0 + w1 * d1 + w2 * d2 + w3 * d3;
    }
    form += 2 * (w0 * y0 + w1 * y1 + w2 * y2 + w3 * y3);
    const x0 = w1 * d01 + w2 * d02 + w3 * d03, x1 = w0 * d01 + w2 * d12 + w3 * d13;
    const x2 = w0 * d02 + w1 * d12 + w3 * d23, x3 = w0 * d03 + w1 * d13 + w2 * d23;
    form += w0 * x0 + w1 * x1 + w2 * x2 + w3 * x3;
    products[a - start] = x0 + y0;
    products[a - start + 1] = x1 + y1;
    products[a - start + 2] = x2 + y2;
    products[a - start + 3] = x3 + y3;
  }
  return form;
}
