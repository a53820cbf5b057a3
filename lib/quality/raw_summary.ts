import type { StationSummary } from "../schema/station_summary.ts";

/** The raw values of a summary that components are made of. */
const RAW_VALUES = [
  "plan_executability",
  "public_order",
  "info_integrity",
  "trust",
  "time_to_first_pass",
  "passed_count",
  "active_rumors",
  "scandal_load",
  "coalition_edges",
  "raw_validity",
  "norm_dependency",
] as const satisfies readonly (keyof StationSummary)[];

/**
 * Raw values with the names of `final_summary.json`. One that is absent or `undefined` is not known;
 * `time_to_first_pass: null` is known, and says that no plan passed.
 */
export type RawValues = { readonly [Name in typeof RAW_VALUES[number]]?: StationSummary[Name] | undefined };

/** What the score reads of a run: its raw values as far as they are known, and whether the station was saved. */
export type RawSummary = RawValues & { readonly stabilized: boolean };

/** A summary in which every value is known, such as that of a run of one's own: its q always exists. */
export type CompleteSummary = Readonly<Pick<StationSummary, typeof RAW_VALUES[number] | "stabilized">>;

/**
 * Refuses a raw value that is neither a finite number nor absent: a text or a null from a file would otherwise count
 * as some number. Only `time_to_first_pass` may be null.
 *
 * @throws {RangeError} naming the value and what was found.
 */
export function checkNumbers(raw: RawValues): void {
  for (const name of RAW_VALUES) {
    const value = raw[name];
    if (value === undefined || Number.isFinite(value) || (value === null && name === "time_to_first_pass")) continue;
    throw new RangeError(`${name} must be a finite number, or be left out when not known; found ${value}`);
  }
}
