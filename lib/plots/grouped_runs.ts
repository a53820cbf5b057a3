import { requireFinite } from "../core/numbers.ts";
import { type SeriesStyle, seriesStyle } from "./palette.ts";

type Trajectory = readonly (readonly number[])[];

/** Runs drawn alike, with their 0-based place among all runs. */
export interface Grouped {
  readonly name: string;
  readonly runs: readonly { readonly index: number; readonly run: Trajectory }[];
  readonly style: SeriesStyle;
}

/**
 * The runs by group, groups in the order of their names, so that one name has one colour in figures of the same groups.
 *
 * @throws {RangeError} on ragged or non-finite preferences, naming run and round, or when `groups` has another length.
 */
export function groupRuns(
  { runs, groups }: { runs: readonly Trajectory[]; groups?: readonly string[] | undefined },
  optionCount: number,
): Grouped[] {
  if (groups !== undefined && groups.length !== runs.length) {
    throw new RangeError(`${groups.length} groups for ${runs.length} runs: give one group for each run`);
  }
  runs.forEach((run, i) =>
    run.forEach((preferences, t) => {
      requireFinite(`a preference of run ${i} in round ${t + 1}`, ...preferences);
      if (preferences.length !== optionCount) {
        throw new RangeError(
          `run ${i} has ${preferences.length} preferences in round ${t + 1}, for ${optionCount} options`,
        );
      }
    })
  );
  const indexed = runs.map((run, index) => ({ index, run, group: groups?.[index] ?? "all replicates" }));
  const names = [...new Set(indexed.map(({ group }) => group))].sort();
  return names.map((name, i) => ({
    name,
    runs: indexed.filter(({ group }) => group === name),
    style: seriesStyle(i),
  }));
}
