import type { PublishedRow } from "../../quality/published_row.ts";
import { isUngoverned, summaryName } from "../../quality/preserved_summary.ts";
import { type ComponentValues, type OwnComponents, UNGOVERNED_WORDS } from "../../schema/quality_names.ts";
import type { PreservedSummary } from "../../schema/station_summary.ts";

/** What the explorer of weights is given: as JSON, so that an absent key is not known. */
export interface ExplorerData {
  readonly published: readonly Entry[];
  readonly own: readonly Entry[];
  /** As a cell names the folder of the own runs. */
  readonly path?: string | undefined;
  /** Components of one's own that the page opens with. */
  readonly components?: OwnComponents | undefined;
}

/** A run: of a printed one some values are known, of a preserved one any component may be. */
export interface Entry {
  readonly label: string;
  /** Where it is printed, or its ruleset. */
  readonly source: string;
  /** Model or council, whose runs have a mean. */
  readonly family: string;
  readonly synthetic: boolean;
  /** Absent where it is not known, as from a table of components. */
  readonly stabilized?: boolean | undefined;
  readonly passed_count?: number | undefined;
  /** As printed. */
  readonly row?: PublishedRow | undefined;
  readonly components: ComponentValues;
  /** Every other number of the summary, nested as there: what components of one's own are made of. */
  readonly numbers?: Readonly<Record<string, unknown>> | undefined;
}

/** The numbers of a summary: a component whose field holds something else is not known. */
const numbersOf = (summary: object) =>
  JSON.parse(
    JSON.stringify(summary, (_, value) =>
      typeof value === "number" || (value instanceof Object && !Array.isArray(value)) ? value : undefined),
  );

/** A preserved summary as the explorer lists it. Of a run that no model played there is neither score nor rank nor class. */
export function summaryEntry(summary: PreservedSummary, place: number): Entry {
  const { model, seed, ruleset = "ruleset unknown", synthetic = false, stabilized, passed_count, components } = summary;
  const label = [model, seed].filter((part) => part !== undefined).join(" ") || summaryName(summary, place);
  const known = { source: ruleset, family: model ?? "model unknown", synthetic };
  if (isUngoverned(summary)) return { ...known, label: `${label} (${UNGOVERNED_WORDS})`, components: {} };
  const numbers = numbersOf({ ...summary, components: undefined });
  return { ...known, label, stabilized, components, numbers, ...(passed_count !== undefined && { passed_count }) };
}
