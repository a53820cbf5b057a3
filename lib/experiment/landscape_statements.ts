import type { Condition } from "../schema/condition.ts";
import type { LandscapeCell } from "./landscape_cells.ts";

/** A statement of the paper about the landscape at T = 0, counted in scenarios. */
export interface LandscapeStatement {
  readonly statement: string;
  /** Among the published values; undefined where too few are printed to count. */
  readonly published: string | undefined;
  /** Among the runs made here. */
  readonly measured: string | undefined;
}

/** The four slopes of one scenario at T = 0; undefined where there is none. */
interface Four {
  readonly plain: number | undefined;
  readonly roles: number | undefined;
  readonly mixed: number | undefined;
  readonly both: number | undefined;
}
type Holds = (four: Four) => boolean | undefined;

/**
 * In how many scenarios each statement of the paper about Figure 4 holds, among the printed values and among the
 * measured ones. A scenario counts where the statement can be judged: `6 of 12`.
 *
 * That a configuration is the lowest of four can be refused by the two that Table S8 prints, and is then counted as not
 * holding; where those two allow it, it is open, and the count is worded `at most`.
 */
export function landscapeStatements(
  cells: readonly LandscapeCell<{ readonly condition: Condition; readonly lambda?: number }>[],
): LandscapeStatement[] {
  const cold = Map.groupBy(cells.filter(({ temperature }) => temperature === 0), ({ scenario }) => scenario);
  const scenarios = [...cold.values()];
  const published = scenarios.map((own) => fourOf(own, (cell) => cell.published));
  const measured = scenarios.map((own) => fourOf(own, ({ measured }) => measured?.lambda));
  const counted: readonly (readonly [string, Holds])[] = [
    ["uniform without roles is above zero", ({ plain }) => plain === undefined ? undefined : plain > 0],
    ["uniform with roles is above uniform without", ({ roles, plain }) => above(roles, plain)],
    ["mixed without roles is above uniform without", ({ mixed, plain }) => above(mixed, plain)],
    ["mixed with roles is above uniform without", ({ both, plain }) => above(both, plain)],
  ];
  return [
    {
      statement: "uniform without roles is the lowest of the four",
      published: lowestCount(published),
      measured: lowestCount(measured),
    },
    ...counted.map(([statement, holds]) => ({
      ...{ statement, published: count(published.map(holds)), measured: count(measured.map(holds)) },
    })),
  ];
}

function fourOf<One extends { readonly condition: Condition }>(
  cells: readonly LandscapeCell<One>[],
  pick: (cell: LandscapeCell<One>) => number | undefined,
): Four {
  const value = (lineup: "uniform" | "mixed", roles: boolean) => {
    const cell = cells.find((one) => one.lineup === lineup && one.roles === roles);
    return cell && pick(cell);
  };
  return {
    plain: value("uniform", false),
    roles: value("uniform", true),
    mixed: value("mixed", false),
    both: value("mixed", true),
  };
}

const above = (one: number | undefined, other: number | undefined): boolean | undefined =>
  one === undefined || other === undefined ? undefined : one > other;

function count(holds: readonly (boolean | undefined)[]): string | undefined {
  const judged = holds.filter((held) => held !== undefined);
  return judged.length === 0 ? undefined : `${judged.filter((held) => held).length} of ${judged.length}`;
}

function lowestCount(fours: readonly Four[]): string | undefined {
  const judged = fours.flatMap(({ plain, roles, mixed, both }) => {
    const others = [roles, mixed, both];
    const known = others.filter((value) => value !== undefined);
    if (plain === undefined || known.length === 0) return [];
    const allowed = known.every((value) => plain < value);
    return [{ allowed, open: allowed && known.length < others.length }];
  });
  if (judged.length === 0) return undefined;
  const words = judged.some(({ open }) => open) ? "at most " : "";
  return `${words}${judged.filter(({ allowed }) => allowed).length} of ${judged.length}`;
}
