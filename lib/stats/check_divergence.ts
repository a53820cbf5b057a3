/** @throws {RangeError} when a mean distance is negative or not finite, naming its round. */
export function checkDivergence(D: readonly number[]): void {
  for (let t = 0; t < D.length; t++) {
    if (!(Number.isFinite(D[t]) && D[t]! >= 0)) {
      throw new RangeError(`D is ${D[t]} in round ${t + 1}: must be a finite distance, 0 or more`);
    }
  }
}
