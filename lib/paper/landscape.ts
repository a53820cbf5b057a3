import type { AgreementPoint } from "../plots/agreement_plot.ts";
import type { MatrixCell } from "../plots/matrix_plot.ts";
import { findCondition } from "../runs/find_condition.ts";
import type { MeasuredCondition } from "../runs/measure_runs.ts";
import type { Condition } from "../schema/condition.ts";
import { rankCorrelation } from "../stats/rank_correlation.ts";
import type { PublishedLandscapeRow, PublishedMixedCellRow } from "./published_deliberation.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** One cell of the landscape: what is published of it, and what was measured where it was run. */
interface LandscapeCell<One extends { readonly condition: Condition }> {
  readonly scenario: string;
  readonly lineup: "uniform" | "mixed";
  readonly roles: boolean;
  /** Undefined where it is not published; such a cell is compared with nothing. */
  readonly temperature: number | undefined;
  /** λ̂, nats per round; undefined where it is not published. */
  readonly published: number | undefined;
  /** Absent where the condition was not run. */
  readonly measured?: One;
}

/**
 * Every cell of the paper's landscape, each beside the condition that was run for it: the uniform cells of Table S8 at
 * both temperatures, then the mixed cells of Figure 4.
 *
 * @param conditions those of one experiment.
 * @param published see `loadLandscape` and `loadMixedCells`.
 */
export function landscapeCells<One extends { readonly condition: Condition }>(
  conditions: readonly One[],
  { uniform, mixed }: { uniform: readonly PublishedLandscapeRow[]; mixed: readonly PublishedMixedCellRow[] },
): LandscapeCell<One>[] {
  const cells = [
    ...uniform.map((row) => ({ ...row, lineup: "uniform" as const })),
    ...mixed.map((row) => ({ ...row, lineup: "mixed" as const, temperature: 0 })),
  ];
  return cells.map(({ lambda: published, scenario, lineup, roles, temperature }) => {
    const place = { scenario, lineup, roles, temperature };
    const measured = temperature === undefined ? undefined : findCondition(conditions, { ...place, temperature });
    return { ...place, published, ...(measured && { measured }) };
  });
}

/** What a cell of the map shows of a measured condition. */
type MappedCondition = Pick<MeasuredCondition, "condition" | "lambda" | "reason" | "accounting">;

/** The configurations of the paper's map from left to right. */
const COLUMNS = [["uniform", false], ["uniform", true], ["mixed", false], ["mixed", true]] as const;

/** A column's heading: `mixed, roles on`. */
function configurationWords(
  { lineup, roles }: Pick<LandscapeCell<MappedCondition>, "lineup" | "roles">,
): string {
  return `${lineup}, roles ${roles ? "on" : "off"}`;
}

/**
 * Cells for `matrixPlot`: a row a scenario, in the order of the cells, and a column a configuration. Without intervals,
 * for which a map of twelve rows has no room; the planned runs stand in a cell where some are missing.
 *
 * @param cells of one temperature. One that was not run has no cell, and the map says so.
 */
export function landscapeMatrix(cells: readonly LandscapeCell<MappedCondition>[]): MatrixCell[] {
  return COLUMNS.flatMap(([lineup, roles]) =>
    cells.filter((cell) => cell.lineup === lineup && cell.roles === roles).flatMap((cell) => {
      if (cell.measured === undefined) return [];
      const { lambda, reason, accounting: { target, realised, deficit } } = cell.measured;
      return {
        ...{ row: cell.scenario, column: configurationWords(cell), lambda, n: realised, published: cell.published },
        // A reason beside a slope speaks of its interval, which is not shown here.
        ...(lambda === undefined && { reason }),
        ...(deficit > 0 && { target }),
      };
    })
  );
}

/** A published slope beside the measured one. */
interface AgreementCell extends AgreementPoint {
  readonly verdict: Verdict;
}

/** How measured slopes go with published ones. */
interface LandscapeAgreement {
  /** One a cell, for `agreementPlot`; those whose published slope is outside our interval are named. */
  readonly points: readonly AgreementCell[];
  /** Cells with both slopes. */
  readonly pairs: number;
  /** Published slopes inside our 95 % interval. */
  readonly inside: number;
  /** Spearman's; absent with fewer than three pairs, or where one side does not vary. */
  readonly rank?: number;
}

type Measured = MappedCondition & { readonly low?: number; readonly high?: number };

/** Compares the cells that have both a published and a measured slope. */
export function landscapeAgreement(cells: readonly LandscapeCell<Measured>[]): LandscapeAgreement {
  const points = cells.map((cell): AgreementCell => {
    const { scenario: label, published, measured: { lambda: measured, low, high } = {} } = cell;
    const found = verdict(published, { low, high });
    const named = found.startsWith("published ");
    return { label, group: configurationWords(cell), published, measured, low, high, named, verdict: found };
  });
  const pairs = points.flatMap(({ published, measured }) =>
    published === undefined || measured === undefined ? [] : [{ published, measured }]
  );
  const rank = rankCorrelation(pairs.map(({ published }) => published), pairs.map(({ measured }) => measured));
  return {
    ...{ points, pairs: pairs.length, inside: points.filter(({ verdict }) => verdict === "inside").length },
    ...(rank !== undefined && { rank }),
  };
}

/** How well the printed slopes at T = 0 predict those at T = 0.1 in the same cells: a yardstick for any mechanism. */
export function landscapeRepeat(
  rows: readonly PublishedLandscapeRow[],
): { readonly pairs: number; readonly rank?: number } {
  const pairs = rows.filter(({ temperature }) => temperature === 0).flatMap(({ scenario, roles, lambda: before }) => {
    const after = rows.find((row) => row.scenario === scenario && row.roles === roles && row.temperature === 0.1)
      ?.lambda;
    return before === undefined || after === undefined ? [] : [{ before, after }];
  });
  const rank = rankCorrelation(pairs.map(({ before }) => before), pairs.map(({ after }) => after));
  return { pairs: pairs.length, ...(rank !== undefined && { rank }) };
}

/** A statement of the paper about the landscape at T = 0, counted in scenarios. */
interface LandscapeStatement {
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
