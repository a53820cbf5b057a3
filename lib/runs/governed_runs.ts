import { checkList } from "../core/options.ts";
import { isUngoverned } from "../quality/preserved_summary.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import type { SeededScore } from "../stats/variance_components.ts";

interface Summarised {
  readonly summary: StationSummary;
}

/**
 * The runs as they came, if all have a class: a run whose models filled no slot shows what the clerk does.
 *
 * @throws {RangeError} naming the ungoverned ones.
 */
export function governedRuns<Run extends Summarised>(runs: readonly Run[]): readonly Run[] {
  checkList("runs", runs);
  const names = runs.filter(({ summary }) => isUngoverned(summary)).map(({ summary }) => summary.run_id);
  if (names.length === 0) return runs;
  throw new RangeError(
    `${names.length} of ${runs.length} runs are ungoverned, without a class: ${names.join(", ")}; ` +
      "run them again (--reopen where the endpoint failed), or leave their seeds out for every council",
  );
}

/**
 * The q of runs by council and seed, for `varianceComponents`.
 *
 * @throws {RangeError} naming ungoverned runs, whose q is the clerk's.
 */
export const seededScores = (runs: readonly Summarised[]): SeededScore[] =>
  governedRuns(runs).map(({ summary: { model, seed, q } }) => ({ council: model, seed, value: q }));
