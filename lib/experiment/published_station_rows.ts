import type { Ending } from "../quality/class_shares.ts";
import type { PublishedRow } from "../quality/published_row.ts";
import type { PublishedRun } from "../storage/published_rows.ts";

/** A published run with what it is called and how it ended, in one object. */
export interface PublishedStationRow extends PublishedRow, Ending {
  /** Such as `MIMO-v2.5 109`. */
  readonly label: string;
  /** Model family as printed, or `no model`. */
  readonly family: string;
  readonly seed: number;
}

/** Published runs as the study of weights takes them: rows for bounds that know their family. */
export function publishedStationRows(runs: readonly PublishedRun[]): PublishedStationRow[] {
  return runs.map(({ label, model, seed, row }) => ({
    ...row,
    ...{ label, family: model, seed, passedCount: row.passed_count },
  }));
}
