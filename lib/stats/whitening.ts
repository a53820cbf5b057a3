/**
 * What turns correlated errors into independent ones of size 1: y ↦ L⁻¹y, where L Lᵀ is the covariance of y.
 *
 * @param covariance symmetric, [n][n].
 * @throws {RangeError} where it is not positive definite: then no errors can have it, or some have none.
 */
export function whitening(covariance: readonly (readonly number[])[]): (y: readonly number[]) => number[] {
  const L = cholesky(covariance);
  return (y) => {
    const white: number[] = [];
    L.forEach((row, i) => white.push((y[i]! - dot(row, white, i)) / row[i]!));
    return white;
  };
}

/** The lower triangular L with L Lᵀ = matrix. */
function cholesky(matrix: readonly (readonly number[])[]): number[][] {
  const L: number[][] = [];
  matrix.forEach((row, i) => {
    const made: number[] = [];
    for (let j = 0; j < i; j++) made.push((row[j]! - dot(made, L[j]!, j)) / L[j]![j]!);
    const square = row[i]! - dot(made, made, i);
    if (!(square > 0)) throw new RangeError(`covariance is not positive definite: pivot ${i + 1} is ${square}`);
    L.push([...made, Math.sqrt(square)]);
  });
  return L;
}

/** Inner product of the first `n` entries. */
function dot(a: readonly number[], b: readonly number[], n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += a[i]! * b[i]!;
  return sum;
}
