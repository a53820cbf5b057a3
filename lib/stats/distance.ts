/**
 * Euclidean distance from explicit differences. The shortcut ‖a‖² + ‖b‖² − 2a·b cancels: at separations of 1e-10,
 * where divergence begins, it is wrong by several hundred per cent.
 */
export function distance(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) {
    const difference = a[k]! - b[k]!;
    sum += difference * difference;
  }
  // Squares of what is this small or large leave the range of numbers.
  return sum > 1e-280 && sum < Infinity ? Math.sqrt(sum) : Math.hypot(...a.map((value, k) => value - b[k]!));
}
