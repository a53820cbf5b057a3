import type { Classification } from "../schema/quality_names.ts";
import { type ComponentName, COMPONENTS } from "../schema/quality_names.ts";
import { clamp01 } from "./clamp01.ts";
import { contributions } from "./contributions.ts";

/**
 * A run as it was preserved: what a re-scoring reads of a `final_summary.json`. Its components are taken as they were
 * stored; one that is absent is not known.
 */
export interface PreservedSummary {
  readonly run_id?: string | undefined;
  readonly seed?: number | undefined;
  readonly model?: string | undefined;
  readonly ruleset?: string | undefined;
  readonly synthetic?: boolean | undefined;
  readonly stabilized: boolean;
  /** Plans that passed; decides between the two failures. */
  readonly passed_count?: number | undefined;
  readonly components: Readonly<Partial<Record<ComponentName, number | undefined>>>;
  /** As scored at the time, under the published weights. */
  readonly q?: number | undefined;
  readonly classification?: Classification | undefined;
}

/** How the errors call a summary: by its place, and by its run where that is known. */
export function summaryName({ run_id }: PreservedSummary, index: number): string {
  return run_id === undefined ? `summaries[${index}]` : `summaries[${index}] (${run_id})`;
}

/**
 * Refuses a summary that contradicts itself: it would otherwise be re-scored into something that it never was.
 *
 * @param options `name` opens the message; `tolerance` is how far the stored q may lie from that of its components.
 * @throws {RangeError} without components, on a component or q outside [0, 1] or not a number, on an unknown component,
 * and on a q that its components do not give under the published weights.
 */
export function checkPreserved(
  { components, q, stabilized }: PreservedSummary,
  { name, tolerance }: { name: string; tolerance: number },
): void {
  if (typeof components !== "object" || components === null || Object.keys(components).length === 0) {
    throw new RangeError(`${name} has no components: score it from its raw values with qualityOfSurvival first`);
  }
  if (typeof stabilized !== "boolean") {
    throw new RangeError(`${name}: stabilized must be true or false, found ${stabilized}`);
  }
  for (const [component, value] of Object.entries(components)) {
    if (!COMPONENTS.some((known) => known === component)) {
      throw new RangeError(`${name}: ${component} is no component; there are ${COMPONENTS.join(", ")}`);
    }
    if (value !== undefined && !(value >= 0 && value <= 1)) {
      throw new RangeError(`${name}: the component ${component} must be in [0, 1], found ${value}`);
    }
  }
  if (q === undefined) return;
  if (!(q >= 0 && q <= 1)) throw new RangeError(`${name}: q must be in [0, 1], found ${q}`);
  if (!COMPONENTS.every((component) => components[component] !== undefined)) return;
  const scored = clamp01(Object.values(contributions(known(components))).reduce((sum, part) => sum + part, 0));
  if (Math.abs(scored - q) <= tolerance) return;
  throw new RangeError(
    `${name}: q is ${q}, but its components give ${Number(scored.toPrecision(6))} under the published weights; ` +
      `mend the summary, or allow for its rounding with a tolerance`,
  );
}

/** The components that are known. */
export function known(components: PreservedSummary["components"]): Partial<Record<ComponentName, number>> {
  const kept: Partial<Record<ComponentName, number>> = {};
  for (const name of COMPONENTS) if (components[name] !== undefined) kept[name] = components[name];
  return kept;
}
