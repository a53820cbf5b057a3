import type { Interval } from "../../../quality/published_row.ts";
import { type Classification, COMPONENTS } from "../../../schema/quality_names.ts";
import type { RankChange, RankRange } from "./ranking.ts";

/** The name of a component in words; one of the reader's own keeps the name it was declared with. */
export const labelOf = (name: string): string =>
  COMPONENTS.some((one) => one === name) ? name.replace("info_", "information_").replaceAll("_", " ") : name;

const CLASS_LABELS: Readonly<Record<Classification, string>> = {
  BENCHMARK_STRONG: "strong",
  BENCHMARK_ADEQUATE: "adequate",
  BENCHMARK_BRITTLE: "brittle",
  FAILED_AFTER_VALID_PLAN: "failed after a plan",
  FAILED_NO_VALID_PLAN: "failed, no plan",
};

/**
 * A score in three decimals; an interval is rounded outward, so that the text contains it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(intervalText({ low: 0.8265, high: 0.8275 }), "0.826–0.828");
 * assert.equal(intervalText({ low: 0.8265, high: 0.8265 }), "0.827");
 * ```
 */
export function intervalText({ low, high }: Interval): string {
  if (low === high) return low.toFixed(3);
  // The dust of binary fractions must not push a bound to the next digit.
  const [from, to] = [Math.floor(low * 1000 + 1e-6) / 1000, Math.ceil(high * 1000 - 1e-6) / 1000];
  return from === to ? from.toFixed(3) : `${from.toFixed(3)}–${to.toFixed(3)}`;
}

/** Two decimals, or three where the value has them: 0.70, 0.111. */
export const decimals = (value: number): string => value.toFixed(3).replace(/0$/, "");

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** The reason why a run has no score. */
export const missingText = (missing: readonly string[]): string =>
  missing.length === 0 ? "–" : `lacks ${missing.map(labelOf).join(", ")}`;

/** Every class that a score allows, from the lowest to the highest. */
export function classesText(classes: readonly Classification[]): string {
  const [first, last] = [classes[0], classes.at(-1)];
  if (first === undefined || last === undefined) return "unknown";
  if (first === last) return CLASS_LABELS[first];
  return `${CLASS_LABELS[first]} ${classes.length > 2 ? "to" : "or"} ${CLASS_LABELS[last]}`;
}

const rangeText = (from: number, to: number, dash = "–"): string => from === to ? `${from}` : `${from}${dash}${to}`;

export const rankText = ({ best, worst }: RankRange): string => rangeText(best, worst);

/** A change as a sign to see and as words to hear. */
export function changeTexts({ kind, least, most }: RankChange): { sign: string; words: string } {
  if (kind === "same") return { sign: "·", words: "rank unchanged" };
  if (kind === "undecided") {
    const words = [...(most > 0 ? [`up by at most ${most}`] : []), ...(least < 0 ? [`down by at most ${-least}`] : [])];
    return {
      sign: `${least < 0 ? `−${-least}` : "0"}…${most > 0 ? `+${most}` : "0"}`,
      words: `undecided: ${words.join(", ")}, or unchanged`,
    };
  }
  const [arrow, from, to] = kind === "up" ? ["▲", least, most] as const : ["▼", -most, -least] as const;
  return { sign: `${arrow} ${rangeText(from, to)}`, words: `${kind} by ${rangeText(from, to, " to ")}` };
}
