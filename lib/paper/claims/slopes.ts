import { signTest } from "../../stats/exact_tests.ts";
import type { DeliberationEvidence } from "../published_deliberation.ts";
import { rowOf } from "../published_table.ts";

type Condition = DeliberationEvidence["conditions"][number];

/** The rounding error of a slope printed to four decimals. */
export const HALF_DIGIT = 0.00005;

/** A slope's row. */
interface Sloped {
  readonly lambda: number;
}

export const slopeOf = ({ lambda }: Sloped): number => lambda;
export const slopes = (rows: readonly Sloped[]): number[] => rows.map(slopeOf);
export const isPositive = ({ lambda }: Sloped): boolean => lambda > HALF_DIGIT;
export const isPrinted = <Row extends { readonly lambda?: number | undefined }>(row: Row): row is Row & Sloped =>
  row.lambda !== undefined;

export const descending = <Row>(rows: readonly Row[], by: (row: Row) => number): Row[] =>
  rows.toSorted((a, b) => by(b) - by(a));
export const lowest = <Row>(rows: readonly Row[], by: (row: Row) => number): Row =>
  rows.reduce((a, b) => by(b) < by(a) ? b : a);

/** Rows above and below zero, and the sign test's p. */
export function signsOf<Row>(rows: readonly Row[], by: (row: Row) => number) {
  const [above, below] = [rows.filter((row) => by(row) > 0), rows.filter((row) => by(row) < 0)];
  return { above, below, p: signTest({ above: above.length, below: below.length }) };
}

/** The sign test's p where so many of all go one way, and the others the other. */
export const evenOdds = (above: number, all: number): number => signTest({ above, below: all - above });

/** The effect of roles on the slope of one scenario, temperature or model. */
export interface RolePair {
  readonly name: string;
  readonly without: number;
  readonly with: number;
  /** Difference `with` − `without`. */
  readonly effect: number;
}

export function pairOf<Row extends { readonly lambda: number; readonly roles: boolean }>(
  rows: readonly Row[],
  cells: Partial<Row>,
  name: string,
): RolePair {
  const [on, off] = [true, false].map((roles) => rowOf(rows, { ...cells, roles }).lambda);
  return { name, without: off!, with: on!, effect: on! - off! };
}

/** Each scenario's slopes at one temperature (Table S8). */
export const scenarioPairs = (landscape: DeliberationEvidence["landscape"], temperature: number): RolePair[] =>
  [...new Set(landscape.map(({ scenario }) => scenario))]
    .map((scenario) => pairOf(landscape, { scenario, temperature }, scenario));

/** The temperature sweep of IM-01 with or without roles (Table S5). */
export const sweep = (conditions: readonly Condition[], roles: boolean): Condition[] =>
  conditions.filter((row) => row.experiment === "temperature" && row.roles === roles);

/** Each temperature's slopes in that sweep. */
export const sweepPairs = (conditions: readonly Condition[]): RolePair[] =>
  sweep(conditions, true).map(({ condition, temperature }) =>
    pairOf(conditions, { experiment: "temperature", temperature }, condition)
  );

export const effectOf = ({ effect }: RolePair): number => effect;
export const nameOf = ({ name }: RolePair): string => name;

/** Those in which roles steepen the slope and those in which they flatten it, and the sign test's p. */
export function turned(pairs: readonly RolePair[]) {
  const { above, below, p } = signsOf(pairs, effectOf);
  return { raised: above, lowered: below, p };
}

export function squareOf(routes: DeliberationEvidence["routes"]) {
  const slope = (lineup: "uniform" | "mixed", roles: boolean) => rowOf(routes, { lineup, roles }).lambda;
  const [neither, roles, mixed] = [slope("uniform", false), slope("uniform", true), slope("mixed", false)];
  const both = slope("mixed", true), contrast = both - mixed - roles + neither;
  const effects = { rolesAlone: roles - neither, mixedAlone: mixed - neither };
  const beside = { rolesBeside: both - mixed, mixedBeside: both - roles };
  const ofLogs = Math.log(both * neither / (roles * mixed)), oneSign = Math.sign(contrast) === Math.sign(ofLogs);
  const [added, multiplied, size] = [both - contrast, roles * mixed / neither, Math.abs(contrast)];
  const place = both < Math.min(roles, mixed) ? "below" : "not below";
  const slopes = { neither, roles, mixed, both };
  return { ...slopes, ...effects, ...beside, contrast, size, ofLogs, oneSign, added, multiplied, place };
}

export const fullOf = (conditions: readonly Condition[]): Condition =>
  rowOf(conditions, { experiment: "ablation", ablated: "none" });

/** The fall of the slope without each role's mandate, the largest first. */
export function fallsOf(conditions: readonly Condition[]) {
  const full = fullOf(conditions).lambda;
  const falls = conditions.flatMap(({ experiment, ablate, lambda }) =>
    experiment === "ablation" && ablate !== undefined ? [{ role: ablate, fall: full - lambda }] : []
  );
  return descending(falls, ({ fall }) => fall);
}

/** The cell with the lowest slope with roles at T = 0. */
export const leastWithRoles = (landscape: DeliberationEvidence["landscape"], scenarios: readonly string[]) =>
  lowest(scenarios.map((scenario) => rowOf(landscape, { scenario, roles: true, temperature: 0 })), slopeOf);

/** Runs that end in another than the commonest decision. */
export const flipsOf = ({ flip_rate, n }: Condition) => ({ part: Math.round(flip_rate * n), whole: n });

export const cellName = ({ model, roles, temperature }: DeliberationEvidence["models"][number]): string =>
  `${model} ${roles ? "with" : "without"} roles at T = ${temperature}`;
