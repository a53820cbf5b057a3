/** λ with a hat, as the papers write the estimate. */
export const LAMBDA = "λ\u0302";

/** A number with fixed decimals and a true minus sign; what rounds to zero has no sign. */
export function fixedText(value: number, digits = 4): string {
  const text = value.toFixed(digits);
  return /[1-9]/.test(text) ? text.replace("-", "−") : text.replace("-", "");
}

/** A number in three significant digits, for quantities whose size is not known beforehand. */
export function shortText(value: number): string {
  const small = value !== 0 && Math.abs(value) < 1e-3;
  const text = small ? value.toExponential(2).replace(/\.?0+e/, "e") : String(Number(value.toPrecision(3)));
  return text.replaceAll("-", "−");
}

/** `[low, high]`, or undefined where an end is missing. */
export function intervalText(low: number | undefined, high: number | undefined, digits = 4): string | undefined {
  if (low === undefined || high === undefined) return undefined;
  return `[${fixedText(low, digits)}, ${fixedText(high, digits)}]`;
}

/** What stands in the place of an estimate that does not exist: never a number. */
export function undefinedText(reason: string | undefined): string {
  return reason === undefined ? "undefined" : `undefined: ${reason.replaceAll("-", " ")}`;
}

/** Why an estimate stands without an interval, where that is known. */
export function noIntervalText(value: number | undefined, reason: string | undefined): string[] {
  return value === undefined || reason === undefined ? [] : [`no interval: ${reason.replaceAll("-", " ")}`];
}

/** `1 run`, `20 runs`. */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** @throws {RangeError} naming `what` unless every value that is present is finite: a figure never draws NaN. */
export function requireFinite(what: string, ...values: readonly (number | undefined)[]): void {
  for (const value of values) {
    if (value !== undefined && !Number.isFinite(value)) {
      throw new RangeError(`${what} is ${value}; leave the field out where there is no value`);
    }
  }
}

/** An interval in words, `0.0172 to 0.0639`; undefined where it does not exist. For tables. */
export function lowToHigh(
  { low, high }: { low?: number | undefined; high?: number | undefined },
  digits = 4,
): string | undefined {
  return low === undefined || high === undefined ? undefined : `${low.toFixed(digits)} to ${high.toFixed(digits)}`;
}
