import type { PublishedRow } from "../../quality/published_row.ts";
import type { ComponentName } from "../../schema/quality_names.ts";

/** What the explorer of weights is given: as JSON, so that an absent key is not known. */
export interface ExplorerData {
  readonly published: readonly PublishedEntry[];
  readonly own: readonly OwnEntry[];
}

/** A run of which a table prints some values. */
export interface PublishedEntry {
  readonly label: string;
  /** Where it is printed, such as `Table 11`. */
  readonly source: string;
  readonly row: PublishedRow;
}

/** A preserved run, of which every component may be known. */
export interface OwnEntry {
  readonly label: string;
  /** The ruleset, such as `v2`. */
  readonly source: string;
  readonly synthetic: boolean;
  readonly stabilized: boolean;
  readonly passed_count?: number | undefined;
  readonly components: Readonly<Partial<Record<ComponentName, number | undefined>>>;
}
