/**
 * P(T ≤ t) of Student's t with a whole number of degrees of freedom, by the finite series for such.
 *
 * Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.ok(Math.abs(studentT(1, 1) - 0.75) < 1e-15);
 * ```
 */
export function studentT(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom));
  const cosine = Math.cos(angle);
  const odd = freedom % 2 === 1;
  // Even: sin θ (1 + ½cos²θ + (1·3)/(2·4) cos⁴θ + …); odd: (2/π)(θ + sin θ cos θ (1 + ⅔cos²θ + …)).
  let term = odd ? cosine : 1, sum = 0;
  for (let k = odd ? 1 : 0; k <= freedom - 2; k += 2) {
    sum += term;
    term *= cosine ** 2 * (k + 1) / (k + 2);
  }
  const within = odd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
  return (1 + within) / 2;
}

/** The t that |T| stays below with probability `level`, by bisection to the last digit. */
export function studentTBound(level: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (2 * studentT(high, freedom) - 1 < level) high *= 2;
  for (let middle = high / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (2 * studentT(middle, freedom) - 1 < level) low = middle;
    else high = middle;
  }
  return high;
}
