/** @throws {RangeError} when the option is not a whole number of at least one. */
export function checkCount(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new RangeError(`${name} is ${value}: must be a whole number, 1 or more`);
  }
}

/** @throws {RangeError} when a confidence level is not strictly between 0 and 1. */
export function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) throw new RangeError(`level is ${level}: must lie between 0 and 1, such as 0.95`);
}
