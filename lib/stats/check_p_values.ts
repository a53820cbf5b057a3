/** @throws {RangeError} on a p-value that is none, naming its place; one that is not known is left undefined. */
export function checkPValues(ps: readonly (number | undefined)[]): void {
  ps.forEach((p, i) => {
    if (p === undefined || (p >= 0 && p <= 1)) return;
    throw new RangeError(`ps[${i}] is ${p}: must lie in 0…1, or be undefined where a test gave none`);
  });
}
