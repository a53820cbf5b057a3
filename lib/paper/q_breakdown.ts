import type { OpenStackGroup } from "../plots/open_stack.ts";
import { determinedParts } from "../quality/pinning.ts";
import type { PreservedSummary } from "../schema/station_summary.ts";
import type { Interval } from "../quality/published_row.ts";
import { contributions } from "../quality/quality_of_survival.ts";
import { PUBLISHED_WEIGHTS } from "../quality/weights.ts";
import { type ComponentName, COMPONENTS } from "../schema/quality_names.ts";
import type { PublishedRun } from "./published_rows.ts";

/**
 * Published runs for `openStack`, by model: what is determined of each q, and one block for the rest. Parts that
 * rounding leaves a little room stand in the middle of it.
 *
 * @throws {RangeError} as `determinedParts`.
 */
export function publishedBreakdown(runs: readonly PublishedRun[]): OpenStackGroup[] {
  return [...Map.groupBy(runs, ({ model }) => model)].map(([label, own]) => ({
    label,
    runs: own.map(({ label, row }) => {
      const { parts, open } = determinedParts(row);
      const middles = COMPONENTS.flatMap((name) => parts[name] === undefined ? [] : [[name, middle(parts[name])]]);
      return {
        ...{ label, q: row.q, parts: Object.fromEntries(middles) },
        open: { earned: middle(open.earned), weight: open.weight },
      };
    }),
  }));
}

/**
 * Preserved runs for `openStack`, by model: what each component adds; those that are not known share a block.
 *
 * @throws {RangeError} on a summary without q.
 */
export function preservedBreakdown(summaries: readonly PreservedSummary[]): OpenStackGroup[] {
  return [...Map.groupBy(summaries, ({ model }) => model ?? "unnamed")].map(([label, own]) => ({
    label,
    runs: own.map((summary) => {
      const name = `${label} ${summary.seed ?? "without seed"}`;
      if (summary.q === undefined) throw new RangeError(`${name} has no q to break down`);
      const { q, components } = summary;
      const known = COMPONENTS.filter((name) => components[name] !== undefined);
      const parts = contributions(Object.fromEntries(known.map((name) => [name, components[name]!])));
      return { label: name, q, parts, open: openBlock(q, parts) };
    }),
  }));
}

const middle = ({ low, high }: Interval): number => (low + high) / 2;

/** What is left of q, and the weight it comes from: nothing where every component is known. */
function openBlock(
  q: number,
  parts: Readonly<Partial<Record<ComponentName, number>>>,
): { earned: number; weight: number } {
  const unknown = COMPONENTS.filter((name) => parts[name] === undefined);
  if (unknown.length === 0) return { earned: 0, weight: 0 };
  return {
    earned: q - Object.values(parts).reduce((sum, part) => sum + part, 0),
    weight: unknown.reduce((sum, name) => sum + PUBLISHED_WEIGHTS[name], 0),
  };
}
