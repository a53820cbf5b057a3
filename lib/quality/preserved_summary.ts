import { known } from "../core/known.ts";
import { COMPONENTS, UNGOVERNED } from "../schema/quality_names.ts";
import type { Components, PreservedSummary } from "../schema/station_summary.ts";
import { contributions, sumOfContributions } from "./quality_of_survival.ts";
import { PUBLISHED_WEIGHTS } from "./weights.ts";

/** How the errors call a summary: by its place, and by its run where that is known. */
export function summaryName({ run_id }: PreservedSummary, index: number): string {
  return run_id === undefined ? `summaries[${index}]` : `summaries[${index}] (${run_id})`;
}

/**
 * Whether the run's models were asked and filled no slot, so that its score is the clerk's and no class is theirs. A run
 * that was declared to be without models, or was played by programs, is not meant: that is a condition of its own.
 */
export const isUngoverned = (
  { classification, synthetic, model_actions }: {
    readonly classification?: string | undefined;
    readonly synthetic?: boolean | undefined;
    readonly model_actions?: number | undefined;
  },
): boolean => classification === UNGOVERNED || (synthetic === false && model_actions === 0);

/**
 * Refuses a summary that contradicts itself: it would otherwise be re-scored into something that it never was.
 *
 * @param options `name` opens the message; `tolerance` is how far the stored q may lie from that of its components.
 * @throws {RangeError} without components, on a component or q outside [0, 1] or not a number, on an unknown component,
 * on a number of passed plans that is not a whole number of at least 0, and on a q that its components cannot give under
 * the published weights.
 */
export function checkPreserved(summary: PreservedSummary, options: { name: string; tolerance: number }): void {
  const { components, stabilized, passed_count: passed, q } = summary;
  const { name } = options;
  checkComponents(components, name);
  if (typeof stabilized !== "boolean") {
    throw new RangeError(`${name}: stabilized must be true or false, found ${stabilized}`);
  }
  if (passed !== undefined && !(Number.isInteger(passed) && passed >= 0)) {
    throw new RangeError(`${name}: passed_count must be a whole number of at least 0, found ${passed}`);
  }
  if (q === undefined) return;
  if (!inUnitRange(q)) throw new RangeError(`${name}: q must be in [0, 1], found ${q}`);
  checkStoredQ(q, known(components), options);
}

function checkComponents(components: PreservedSummary["components"], name: string): void {
  if (typeof components !== "object" || components === null || Object.keys(components).length === 0) {
    throw new RangeError(`${name} has no components: score it from its raw values with qualityOfSurvival first`);
  }
  for (const [component, value] of Object.entries(components)) {
    if (!COMPONENTS.some((known) => known === component)) {
      throw new RangeError(`${name}: ${component} is not a component; there are ${COMPONENTS.join(", ")}`);
    }
    if (value !== undefined && !inUnitRange(value)) {
      throw new RangeError(`${name}: the component ${component} must be in [0, 1], found ${value}`);
    }
  }
}

/** The type is asked too: a null or a text from a file would be compared as a number. */
function inUnitRange(value: number): boolean {
  return typeof value === "number" && value >= 0 && value <= 1;
}

/** Components that are not known may have added anything up to their weights, and no more. */
function checkStoredQ(
  q: number,
  components: Components,
  { name, tolerance }: { name: string; tolerance: number },
): void {
  const open = COMPONENTS.filter((component) => components[component] === undefined);
  const least = sumOfContributions(contributions(components));
  const most = Math.min(1, open.reduce((sum, component) => sum + PUBLISHED_WEIGHTS[component], least));
  if (q >= least - tolerance && q <= most + tolerance) return;
  const given = open.length === 0 ? `give ${digits(least)}` : `allow ${digits(least)} to ${digits(most)}`;
  throw new RangeError(
    `${name}: q is ${q}, but its components ${given} under the published weights; ` +
      `correct the summary, or allow for its rounding with a tolerance`,
  );
}

/** As many digits as show what a tolerance of 1e-9 refuses. */
function digits(value: number): number {
  return Number(value.toPrecision(12));
}
