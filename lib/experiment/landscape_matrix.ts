import type { MatrixCell } from "../figures/matrix_plot.ts";
import type { LandscapeCell } from "./landscape_cells.ts";
import type { MeasuredCondition } from "./measure_conditions.ts";

/** What a cell of the map shows of a measured condition. */
export type MappedCondition = Pick<MeasuredCondition, "condition" | "lambda" | "reason" | "accounting">;

/** The configurations of the paper's map from left to right. */
const COLUMNS = [["uniform", false], ["uniform", true], ["mixed", false], ["mixed", true]] as const;

/** A column's heading: `mixed, roles on`. */
export function configurationWords(
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
