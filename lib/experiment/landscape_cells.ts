import type { Condition } from "../schema/condition.ts";
import type { PublishedLandscapeRow } from "../schema/published_landscape.ts";
import type { PublishedMixedCellRow } from "../schema/published_mixed_cell.ts";
import { findCondition } from "./find_condition.ts";

/** One cell of the landscape: what is published of it, and what was measured where it was run. */
export interface LandscapeCell<One extends { readonly condition: Condition }> {
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
