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
 * @param d symmetric matrix [R][R], row by row.
 * @param products filled with (d·w) of each member, in the order of the sample's list.
 */
export function quadraticForm(
  d: Float64Array,
  { size, offsets, members, weights }: SparseSamples,
  sample: number,
  products: Float64Array,
): number {
  const start = offsets[sample]!, end = offsets[sample + 1]!;
  let form = 0;
  for (let a = start; a < end; a += 4) {
    const row0 = members[a]! * size, row1 = members[a + 1]! * size;
    const row2 = members[a + 2]! * size, row3 = members[a + 3]! * size;
    let y0 = 0, y1 = 0, y2 = 0, y3 = 0;
    for (let b = start; b < end; b++) {
      const j = members[b]!, w = weights[b]!;
      y0 += w * d[row0 + j]!;
      y1 += w * d[row1 + j]!;
      y2 += w * d[row2 + j]!;
      y3 += w * d[row3 + j]!;
    }
    products[a - start] = y0;
    products[a - start + 1] = y1;
    products[a - start + 2] = y2;
    products[a - start + 3] = y3;
    form += weights[a]! * y0 + weights[a + 1]! * y1 + weights[a + 2]! * y2 + weights[a + 3]! * y3;
  }
  return form;
}
