import type { Interval } from "../../quality/published_row.ts";
import type { Classification, ComponentName } from "../../schema/quality_names.ts";
import type { RankChange, RankRange } from "./ranking.ts";

const COMPONENT_LABELS: Readonly<Record<ComponentName, string>> & { readonly [own: string]: string } = {
  executability: "executability",
  public_order: "public order",
  info_integrity: "information integrity",
  trust: "trust",
  time_to_pass: "time to pass",
  passed_depth: "passed depth",
  containment: "containment",
  coalition: "coalition",
  schema_independence: "schema independence",
};

/** A component of the reader's own is called as it was declared. */
export const labelOf = (name: string): string => COMPONENT_LABELS[name] ?? name;

const CLASS_LABELS: Readonly<Record<Classification, string>> = {
  BENCHMARK_STRONG: "strong",
  BENCHMARK_ADEQUATE: "adequate",
  BENCHMARK_BRITTLE: "brittle",
  FAILED_AFTER_VALID_PLAN: "failed after a plan",
  FAILED_NO_VALID_PLAN: "failed, no plan",
};

/**
 * A score in three decimals; an interval is rounded outward, so that what is written holds what is meant.
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

/** Two decimals, or three where it takes them: 0.70, 0.111. */
export const decimals = (value: number): string => value.toFixed(3).replace(/0$/, "");

/** Why a run has no score. */
export const missingText = (missing: readonly string[]): string =>
  missing.length === 0 ? "–" : `lacks ${missing.map(labelOf).join(", ")}`;

/** Every class that a score allows, as far as they go: an interval from the lowest to the highest passes all between. */
export function classesText(classes: readonly Classification[]): string {
  const [first, last] = [classes[0], classes.at(-1)];
  if (first === undefined || last === undefined) return "unknown";
  if (first === last) return CLASS_LABELS[first];
  return `${CLASS_LABELS[first]} ${classes.length > 2 ? "to" : "or"} ${CLASS_LABELS[last]}`;
}

const rangeText = (from: number, to: number): string => from === to ? String(from) : `${from}–${to}`;

export const rankText = ({ best, worst }: RankRange): string => rangeText(best, worst);

/** What a rank range says of the rank. */
export function rankWords({ best, worst }: RankRange, count: number): string {
  if (best === worst) return "certain";
  return best === 1 && worst === count ? "undecided" : "possible";
}

/** A change as a sign to see and as words to hear. */
export function changeTexts(change: RankChange): { sign: string; words: string } {
  switch (change.kind) {
    case "same":
      return { sign: "·", words: "rank unchanged" };
    case "up":
    case "down": {
      const by = rangeText(change.least, change.most).replace("–", " to ");
      const sign = `${change.kind === "up" ? "▲" : "▼"} ${rangeText(change.least, change.most)}`;
      return { sign, words: `${change.kind} by ${by}` };
    }
    case "undecided":
      return { sign: undecidedSign(change), words: `undecided: ${undecidedWords(change)}` };
  }
}

const undecidedSign = ({ up, down }: { up: number; down: number }): string =>
  `${down > 0 ? `−${down}` : "0"}…${up > 0 ? `+${up}` : "0"}`;

function undecidedWords({ up, down }: { up: number; down: number }): string {
  const parts = [...(up > 0 ? [`up by at most ${up}`] : []), ...(down > 0 ? [`down by at most ${down}`] : [])];
  return `${parts.join(", ")}, or unchanged`;
}
