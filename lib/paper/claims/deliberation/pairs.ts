import type { ConditionRow, DeliberationTables, LandscapeRow } from "../../published_deliberation.ts";
import { rowOf } from "../../published_cell.ts";

/** What roles do to the slope of one scenario or temperature. */
export interface RolePair {
  readonly name: string;
  readonly without: number;
  readonly with: number;
  /** With less without. */
  readonly effect: number;
}

/** Each scenario's slopes at one temperature (Table S8). */
export function scenarioPairs(landscape: readonly LandscapeRow[], temperature: number): RolePair[] {
  const scenarios = [...new Set(landscape.map(({ scenario }) => scenario))];
  const slope = (scenario: string, roles: boolean) => rowOf(landscape, { scenario, roles, temperature }).lambda;
  return scenarios.map((scenario) => pairOf(scenario, slope(scenario, true), slope(scenario, false)));
}

/** Each temperature's slopes in the sweep of IM-01 (Table S5). */
export function sweepPairs(conditions: readonly ConditionRow[]): RolePair[] {
  const without = sweep(conditions, false);
  return sweep(conditions, true).map(({ condition, temperature, lambda }) =>
    pairOf(condition, lambda, rowOf(without, { temperature }).lambda)
  );
}

/** The temperature sweep of IM-01 with or without roles. */
export const sweep = (conditions: readonly ConditionRow[], roles: boolean): ConditionRow[] =>
  conditions.filter((row) => row.experiment === "temperature" && row.roles === roles);

/** The names of some pairs. */
export const namesOf = (pairs: readonly { readonly name: string }[]): string[] => pairs.map(({ name }) => name);

/** One pair. */
export const pairOf = (name: string, withRoles: number, without: number): RolePair => ({
  ...{ name, without, with: withRoles, effect: withRoles - without },
});

/** HL-01's four slopes (Fig. 1B). */
export interface Square {
  readonly neither: number;
  readonly roles: number;
  readonly mixed: number;
  readonly both: number;
}

/** The slopes of HL-01 by line-up and roles. */
export function squareOf(routes: DeliberationTables["routes"]): Square {
  const slope = (lineup: "uniform" | "mixed", roles: boolean) => rowOf(routes, { lineup, roles }).lambda;
  return {
    neither: slope("uniform", false),
    roles: slope("uniform", true),
    mixed: slope("mixed", false),
    both: slope("mixed", true),
  };
}

/** How far both together are from what each adds alone: zero where the two add up. */
export const contrast = ({ neither, roles, mixed, both }: Square): number => both - mixed - roles + neither;
