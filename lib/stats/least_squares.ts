/** A straight line through points, by least squares. */
interface Line {
  readonly slope: number;
  readonly intercept: number;
  /** Sum of squared residuals. */
  readonly residual: number;
  /** Share of the variance explained; absent when y does not vary and there is nothing to explain. */
  readonly r2?: number;
}

/**
 * Fits y = intercept + slope · x.
 *
 * Everything is measured from the first y, so that a constant gives a slope of exactly 0 and not of rounding noise.
 */
export function fitLine(x: readonly number[], y: readonly number[]): Line {
  const start = y[0]!;
  const weights = slopeWeights(x);
  const slope = y.reduce((sum, value, i) => sum + weights[i]! * (value - start), 0);
  const rise = mean(y.map((value) => value - start));
  const centre = mean(x);
  const residual = sumOfSquares(y.map((value, i) => value - start - rise - slope * (x[i]! - centre)));
  const total = sumOfSquares(y.map((value) => value - start - rise));
  const line = { slope, intercept: start + rise - slope * centre, residual };
  return total > 0 ? { ...line, r2: 1 - residual / total } : line;
}

/** The c_t with slope = Σ c_t·y_t: c_t = (x_t − x̄) / Σ (x_s − x̄)². They sum to zero. */
export function slopeWeights(x: readonly number[]): number[] {
  const centre = mean(x);
  const spread = sumOfSquares(x.map((value) => value - centre));
  return x.map((value) => (value - centre) / spread);
}

/**
 * The slope of the logarithm of each row; NaN where a number is not above zero.
 *
 * @param rows [several][weights], row by row. @param weights those of the slope.
 */
export function logSlopes(rows: Float64Array, weights: readonly number[]): Float64Array {
  const width = weights.length, slopes = new Float64Array(rows.length / width);
  for (let n = 0; n < slopes.length; n++) {
    let start = 0, slope = 0;
    for (let i = 0; i < width; i++) {
      const value = rows[n * width + i]!, log = value > 0 ? Math.log(value) : NaN;
      // Measured from the first, so that rows that never move have a slope of exactly zero.
      if (i === 0) start = log;
      slope += weights[i]! * (log - start);
    }
    slopes[n] = slope;
  }
  return slopes;
}

/**
 * Slopes of ln D closer than this are the same: 1e-12·Σ|c_t|, an error of 1e-12 in every logarithm.
 *
 * It must be absolute. Replicates that differ but never move have a slope of zero, and so have all their shuffles; a
 * tolerance relative to the slope would let rounding decide which is larger.
 */
export function tieTolerance(weights: readonly number[]): number {
  return 1e-12 * weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
}

export const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
export const sumOfSquares = (values: readonly number[]) => values.reduce((sum, value) => sum + value * value, 0);

/** Inner product of the first `n` entries. */
export function dot(a: readonly number[], b: readonly number[], n = a.length): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += a[i]! * b[i]!;
  return sum;
}
