import type { AgreementPoint } from "../figures/agreement_plot.ts";
import type { PublishedLandscapeRow } from "../schema/published_landscape.ts";
import type { LandscapeCell } from "./landscape_cells.ts";
import { configurationWords, type MappedCondition } from "./landscape_matrix.ts";
import { rankCorrelation } from "../stats/rank_correlation.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** A published slope beside the measured one. */
export interface AgreementCell extends AgreementPoint {
  readonly verdict: Verdict;
}

/** How measured slopes go with published ones. */
export interface LandscapeAgreement {
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

/** How well the printed slopes at T = 0 foretell those at T = 0.1 in the same cells: a yardstick for any mechanism. */
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
