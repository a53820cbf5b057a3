import { fixedText } from "../../core/numbers.ts";

/** `2 of 30`. */
export const countOf = (part: readonly unknown[], whole: readonly unknown[]): string =>
  `${part.length} of ${whole.length}`;

const list = new Intl.ListFormat("en-GB");

/** `a, b and c`; `none` of nothing. */
export const listed = (names: readonly string[]): string => names.length === 0 ? "none" : list.format(names);

/** Largest less smallest. */
export const rangeOf = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);

/** A change of a slope: four decimals with its sign. */
export const signedText = (value: number): string => `${value < 0 ? "" : "+"}${fixedText(value)}`;

/** A share in whole per cent. */
export const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** A p-value: three decimals, or two digits where it is small. */
export const pText = (p: number): string => p < 0.01 ? p.toPrecision(2) : p.toFixed(3);

/** How far a slope printed to four decimals may be off. */
export const HALF_DIGIT = 0.00005;

/** The level of all tests here, two-sided. */
export const LEVEL = 0.05;
