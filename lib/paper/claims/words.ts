import { fixedText, pValue } from "../../core/numbers.ts";
import { signTest } from "../../stats/sign_tests.ts";
import type { LiveRun } from "../published_station.ts";

/** A sentence written over several lines: a line break with what indents the next line is one space. */
export const words = (text: TemplateStringsArray, ...values: readonly (string | number | undefined)[]): string =>
  String.raw({ raw: text }, ...values).replace(/\s*\n\s*/g, " ");

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

/** Whether more are above than below, or fewer, by a two-sided sign test; undefined: chance alone may part them so. */
export const moreThanNot = (above: number, below: number): boolean | undefined =>
  signTest({ above, below }) < LEVEL ? above > below : undefined;

/** Standard errors of a two-sided interval of 95 %. */
export const STANDARD_ERRORS = 1.96;

/** Three decimals, as the paper prints q and levels. */
export const threeDecimals = (value: number): string => value.toFixed(3);

/** `1 rumour`, `2 rumours`. */
export const rumours = (count: number): string => `${count} rumour${count === 1 ? "" : "s"}`;

/** Model and seed, such as `MIMO-v2.5 104`. */
export const nameOf = ({ model, seed }: LiveRun): string => `${model} ${seed}`;

/** The values of q of some runs. */
export const qOf = (runs: readonly { readonly q: number }[]): number[] => runs.map(({ q }) => q);

/** The largest q first; equal ones in their order. */
export const byQ = <Run extends { readonly q: number }>(runs: readonly Run[]): Run[] =>
  runs.toSorted((a, b) => b.q - a.q);

/** Clean-live runs that stabilised. */
export const survivors = (runs: readonly LiveRun[]): LiveRun[] => runs.filter((run) => run.stabilized);

/** The one clean-live run that failed; `undefined` unless there is exactly one. */
export function onlyFailure(runs: readonly LiveRun[]): LiveRun | undefined {
  const failed = runs.filter((run) => !run.stabilized);
  return failed.length === 1 ? failed[0] : undefined;
}
