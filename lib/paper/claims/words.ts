import { fixedText, pValue } from "../../core/numbers.ts";

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

/** A p-value in a sentence: `p = .012`, `p < .001`. */
export const pText = (p: number): string => pValue(p).startsWith("<") ? `p ${pValue(p)}` : `p = ${pValue(p)}`;

/** How far a slope printed to four decimals may be off. */
export const HALF_DIGIT = 0.00005;

/** The level of all tests here, two-sided. */
export const LEVEL = 0.05;
