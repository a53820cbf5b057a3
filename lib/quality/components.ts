import { known } from "../core/known.ts";
import { clamp01 } from "../core/numbers.ts";
import type { Components, StationSummary } from "../schema/station_summary.ts";
import type { OwnOptions } from "./weights.ts";

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

/** What counts begin with; rounds are counted from 1. */
const LEAST = { time_to_first_pass: 1, passed_count: 0, active_rumors: 0, scandal_load: 0, coalition_edges: 0 };

/**
 * Refuses a raw value that is neither a finite number nor absent: a text or a null from a file would otherwise count
 * as some number. Only `time_to_first_pass` may be null. So is a count below zero, or a first pass before round 1.
 *
 * @throws {RangeError} naming the value and what was found.
 */
function checkNumbers(raw: RawValues): void {
  for (const name of RAW_VALUES) {
    const value = raw[name];
    if (value === undefined || Number.isFinite(value) || (value === null && name === "time_to_first_pass")) continue;
    throw new RangeError(`${name} must be a finite number, or be left out when not known; found ${value}`);
  }
  for (const [name, least] of Object.entries(LEAST)) {
    const value = raw[name as keyof typeof LEAST] ?? least;
    if (value < least) throw new RangeError(`${name} must be at least ${least}, found ${value}`);
  }
}

/**
 * The nine components of the quality of survival, each in [0, 1], from a run's raw values.
 *
 * A component is absent when a raw value it needs is not known; containment and schema independence each need two.
 * No passed plan (`time_to_first_pass: null`) is known, and gives a `time_to_pass` of 0. Values beyond a component's
 * ends are clamped, as the formula says. It has no clamp for executability, so one outside [0, 1] is refused.
 *
 * Source: station paper, Appendix A.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const components = componentsOf({ passed_count: 3, time_to_first_pass: 4, active_rumors: 2 });
 * assert.deepEqual(components, { time_to_pass: 0.5, passed_depth: 1 }); // rumours alone do not give containment
 * ```
 * @throws {RangeError} on a value that is not a finite number, a count below its least, and an executability outside
 * [0, 1].
 */
export function componentsOf(raw: RawValues): Components {
  checkNumbers(raw);
  return known({
    executability: share(raw.plan_executability),
    public_order: margin(raw.public_order, 0.35),
    info_integrity: margin(raw.info_integrity, 0.40),
    trust: margin(raw.trust, 0.35),
    time_to_pass: speed(raw.time_to_first_pass),
    passed_depth: ratio(raw.passed_count, 3),
    containment: containment(raw.active_rumors, raw.scandal_load),
    coalition: ratio(raw.coalition_edges, 8),
    schema_independence: schemaIndependence(raw.raw_validity, raw.norm_dependency),
  });
}

/**
 * The components of one's own that a summary gives, each in [0, 1]; one whose field is not there is absent.
 *
 * @param options `name` opens the message.
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const components = { calm: { field: "manipulation_pressure", worst: 4, best: 0 } };
 * assert.deepEqual(ownComponents({ manipulation_pressure: 1 }, { components, name: "a.json" }), { calm: 0.75 });
 * assert.deepEqual(ownComponents({}, { components, name: "a.json" }), {});
 * ```
 * @throws {RangeError} on a field that is there and is no finite number, naming it and what was found.
 */
export function ownComponents(
  summary: object,
  { components = {}, name }: OwnOptions & { readonly name: string },
): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [component, { field, worst, best }] of Object.entries(components)) {
    const value = field.split(".").reduce<unknown>(valueAt, summary);
    if (value === undefined) continue;
    if (!Number.isFinite(value)) {
      throw new RangeError(`${name}: ${component} reads ${field}, which must be a finite number, found ${value}`);
    }
    found[component] = clamp01((value as number - worst) / (best - worst));
  }
  return found;
}

const valueAt = (record: unknown, key: string): unknown =>
  record instanceof Object && Object.hasOwn(record, key) ? (record as Record<string, unknown>)[key] : undefined;

type Known = number | undefined;

function share(executability: Known): Known {
  if (executability === undefined || (executability >= 0 && executability <= 1)) return executability;
  throw new RangeError(`plan_executability must be in [0, 1], found ${executability}`);
}

/** How far a level stands above its floor; full credit comes 0.45 above it. */
function margin(level: Known, floor: number): Known {
  return level === undefined ? undefined : clamp01((level - floor) / 0.45);
}

function ratio(count: Known, full: number): Known {
  return count === undefined ? undefined : clamp01(count / full);
}

function speed(round: number | null | undefined): Known {
  if (round === null) return 0;
  return round === undefined ? undefined : clamp01((7 - round) / 6);
}

function containment(rumors: Known, scandal: Known): Known {
  if (rumors === undefined || scandal === undefined) return undefined;
  return clamp01(1 - rumors / 8 * 0.55 - scandal / 6 * 0.45);
}

function schemaIndependence(validity: Known, dependency: Known): Known {
  if (validity === undefined || dependency === undefined) return undefined;
  return clamp01(validity - dependency * 0.35);
}
