import type { ComponentName, Components } from "../schema/station_summary.ts";
import { clamp01 } from "./clamp01.ts";
import { checkNumbers, type RawValues } from "./raw_summary.ts";

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
 * @throws {RangeError} on a value that is not a finite number, and on an executability outside [0, 1].
 */
export function componentsOf(raw: RawValues): Components {
  checkNumbers(raw);
  return onlyKnown({
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

function onlyKnown(components: Record<ComponentName, Known>): Components {
  return Object.fromEntries(Object.entries(components).filter(([, value]) => value !== undefined));
}
