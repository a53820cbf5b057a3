import type { PossibleClass } from "../quality/class_shares.ts";
import type { WeightMove } from "../quality/nearest_unsettled.ts";
import type { PairShare } from "../quality/pair_shares.ts";
import type { Weights } from "../quality/weights.ts";
import { type ComponentName, COMPONENTS } from "../schema/quality_names.ts";
import type { Advantage } from "./goodhart.ts";

/** A class or component in words. */
export function wordsOf(name: PossibleClass | ComponentName): string {
  return name.replace("BENCHMARK_", "").toLowerCase().replaceAll("_", " ");
}

/** A move of weight in words, such as `0.097 from trust to containment`; nothing where there is none. */
export function moveWords(move: WeightMove | undefined): string | undefined {
  return move && `${move.moved.toFixed(3)} from ${wordsOf(move.from)} to ${wordsOf(move.to)}`;
}

/**
 * What changes from one weighting to another, such as `trust −0.050, coalition +0.050`; nothing where there is none, or
 * where nothing changes by as much as is printed.
 */
export function changeWords(before: Weights, after: Weights | undefined): string | undefined {
  if (after === undefined) return undefined;
  const words = COMPONENTS.flatMap((name) => {
    const change = (after[name] ?? 0) - (before[name] ?? 0);
    const size = Math.abs(change).toFixed(3);
    return Number(size) === 0 ? [] : [`${wordsOf(name)} ${change < 0 ? "−" : "+"}${size}`];
  });
  return words.length === 0 ? undefined : words.join(", ");
}

/** The pairs that keep their order under one other weighting, and those that turn round, such as `A > B`. */
export function orderWords(
  labels: readonly string[],
  pairs: readonly PairShare[],
): { readonly kept: readonly string[]; readonly reversed: readonly string[] } {
  const words = ({ a, b }: PairShare, above: boolean) => `${labels[above ? a : b]} > ${labels[above ? b : a]}`;
  const ordered = pairs.filter(({ order }) => order !== "undecided");
  return {
    kept: ordered.filter(({ kept }) => kept === 1).map((pair) => words(pair, pair.order === "above")),
    reversed: ordered.filter(({ reversed }) => reversed === 1).map((pair) => words(pair, pair.order === "below")),
  };
}

/** An advantage with its interval, such as `1.67 [1.46, 1.91]`, or why there is none. */
export function advantageWords({ value, low, high, reason }: Advantage): string {
  if (value === undefined) return `none: ${reason ?? "unknown"}`.replaceAll("-", " ");
  const interval = low === undefined || high === undefined ? "" : ` [${low.toFixed(2)}, ${high.toFixed(2)}]`;
  return `${value.toFixed(2)}${interval}`.replaceAll("-", "−");
}
