import type { LiveRun, StationTables } from "../../station_tables.ts";

export { countOf, listed, rangeOf } from "../words.ts";

/** Three decimals, as the paper prints q and levels. */
export const threeDecimals = (value: number): string => value.toFixed(3);

/** `1 rumour`, `2 rumours`. */
export const rumours = (count: number): string => `${count} rumour${count === 1 ? "" : "s"}`;

/** Model and seed, such as `MIMO-v2.5 104`. */
export const nameOf = ({ model, seed }: LiveRun): string => `${model} ${seed}`;

/** The values of q of some runs. */
export const qOf = (runs: readonly { readonly q: number }[]): number[] => runs.map(({ q }) => q);

/** The largest q first; equal ones in their order. */
export const byQ = <Run extends { readonly q: number }>(runs: readonly Run[]): Run[] =>
  runs.toSorted((a, b) => b.q - a.q);

/** Clean-live runs that stabilised. */
export const survivors = ({ runs }: Pick<StationTables, "runs">): LiveRun[] => runs.filter((run) => run.stabilized);

/** The one clean-live run that failed; `undefined` unless there is exactly one. */
export function onlyFailure({ runs }: Pick<StationTables, "runs">): LiveRun | undefined {
  const failed = runs.filter((run) => !run.stabilized);
  return failed.length === 1 ? failed[0] : undefined;
}
