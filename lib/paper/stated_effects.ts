import { createRng } from "../core/rng.ts";
import { findCondition } from "../runs/find_condition.ts";
import type { Condition, ConditionSpec } from "../schema/condition.ts";
import { Role } from "../schema/scenario.ts";
import type { UndefinedReason } from "../stats/input_checks.ts";
import { slopeDifference } from "../stats/slope_contrast.ts";
import type { Trajectory } from "../stats/trajectory.ts";
import type { PublishedStatedEffectRow } from "./published_deliberation.ts";

/** What differs from the full committee with k = 15, worded as in a condition's name. */
type EffectChange = PublishedStatedEffectRow["change"];

/** What an effect is measured on: a condition and its committee means, [R][T][K]. */
interface EffectCondition {
  readonly condition: Condition;
  readonly means: readonly Trajectory[];
}

/** How far a change to the full committee lowers λ̂. */
export interface SlopeEffect<One extends EffectCondition> {
  readonly scenario: string;
  readonly change: EffectChange;
  /** λ̂ of the full committee less that of the changed one, nats per round. Absent for the `reason`. */
  readonly delta?: number;
  /** Its 95 % interval. */
  readonly low?: number;
  readonly high?: number;
  readonly reason?: UndefinedReason | "not-run";
  /** The committee with all mandates and k = 15; absent where it was not run. */
  readonly full?: One;
  /** The same committee with the change; absent where it was not run. */
  readonly changed?: One;
}

/** `seed` of the interval, by default 1; `resamples`, by default the paper's 500. */
interface SlopeEffectOptions {
  readonly seed?: number | undefined;
  readonly resamples?: number | undefined;
}

/**
 * The fall of λ̂ from the full committee to a changed one, both with a uniform line-up at T = 0.
 *
 * The interval resamples the runs of both committees by themselves and depends on seed, scenario and change alone, so
 * that the same effect is the same wherever it is shown. Where a committee was not run there is no `delta`, and the
 * `reason` is `not-run`.
 *
 * @param conditions those of one experiment.
 */
export function slopeEffect<One extends EffectCondition>(
  conditions: readonly One[],
  { scenario, change }: { scenario: string; change: EffectChange },
  { seed = 1, resamples }: SlopeEffectOptions = {},
): SlopeEffect<One> {
  const full = findCondition(conditions, { scenario });
  const changed = findCondition(conditions, { scenario, ...settings(change) });
  const found = { ...(full && { full }), ...(changed && { changed }) };
  if (full === undefined || changed === undefined) return { scenario, change, ...found, reason: "not-run" };
  const rng = createRng(seed).fork(scenario).fork(change);
  return { scenario, change, ...found, ...slopeDifference(full.means, changed.means, { rng, resamples }) };
}

function settings(change: EffectChange): Omit<ConditionSpec, "scenario"> {
  if (change === "no-roles") return { roles: false };
  if (change === "k3" || change === "k1") return { window: Number(change.slice(1)) };
  return { ablate: ablatedBy(change) };
}

/** The role whose mandate a change takes away, if it does. */
export function ablatedBy(change: EffectChange): Role | undefined {
  return Role.options.find((role) => change === `ablate-${role}`);
}

/** A change in words: `without Chair`, `no roles`, `k = 3`. */
export function effectChangeWords(change: EffectChange): string {
  if (change === "no-roles") return "no roles";
  return change === "k3" || change === "k1" ? `k = ${change.slice(1)}` : `without ${ablatedBy(change)}`;
}

/** How a measured fall of λ̂ stands to what the paper says of it. */
export interface StatedVerdict {
  /** Whether the fall has the sign that is stated. */
  readonly sign: "as stated" | "other than stated" | "not stated" | "no estimate";
  /** Whether the interval holds zero, beside what is stated of the paper's. */
  readonly zero:
    | "excludes zero, as stated"
    | "holds zero, as stated"
    | "excludes zero, the paper's holds it"
    | "holds zero, the paper's excludes it"
    | "excludes zero, the paper's not stated"
    | "holds zero, the paper's not stated"
    | "no interval";
}

/**
 * Compares a measured fall of λ̂ with a statement that has a sign and no number.
 *
 * "Positive" is met by a point estimate above zero, since that is what the paper claims of its own; "near zero or
 * negative" is missed only by an interval that lies wholly above zero.
 */
export function statedVerdict(
  { sign, excludes_zero }: Pick<PublishedStatedEffectRow, "sign" | "excludes_zero">,
  effect: { delta?: number | undefined; low?: number | undefined; high?: number | undefined },
): StatedVerdict {
  return { sign: signVerdict(sign, effect), zero: zeroVerdict(excludes_zero, effect) };
}

function signVerdict(
  sign: PublishedStatedEffectRow["sign"],
  { delta, low }: { delta?: number | undefined; low?: number | undefined },
): StatedVerdict["sign"] {
  if (sign === undefined) return "not stated";
  if (delta === undefined || (sign !== "positive" && low === undefined)) return "no estimate";
  const met = sign === "positive" ? delta > 0 : low! <= 0;
  return met ? "as stated" : "other than stated";
}

function zeroVerdict(
  stated: boolean | undefined,
  { low, high }: { low?: number | undefined; high?: number | undefined },
): StatedVerdict["zero"] {
  if (low === undefined || high === undefined) return "no interval";
  const excludes = low > 0 || high < 0;
  if (stated === undefined) {
    return excludes ? "excludes zero, the paper's not stated" : "holds zero, the paper's not stated";
  }
  if (stated === excludes) return excludes ? "excludes zero, as stated" : "holds zero, as stated";
  return excludes ? "excludes zero, the paper's holds it" : "holds zero, the paper's excludes it";
}

/** Both halves of a verdict as one line, such as `sign as stated; interval holds zero, the paper's excludes it`. */
export function verdictWords({ sign, zero }: StatedVerdict): string {
  const signWords = sign === "no estimate" ? sign : `sign ${sign}`;
  if (zero === "no interval") return `${signWords}; no interval`;
  return `${signWords}; interval ${zero.replace(UNSTATED, "")}`;
}

/** What a line need not repeat where nothing is compared. */
const UNSTATED = ", the paper's not stated";

/** An effect that the paper draws and puts into words, measured here. */
interface StatedEffect<One extends EffectCondition> extends SlopeEffect<One> {
  /** What the paper says of it; undefined where it says nothing. */
  readonly stated: string | undefined;
  readonly verdict: StatedVerdict;
}

/**
 * Falls of λ̂ as the paper states them and as measured here, in the order of the rows.
 *
 * Source: Figures 2 and 3 of the deliberation paper, whose numbers are drawn and not printed.
 *
 * @param conditions those of one experiment.
 * @param rows the published effects to look at; see `loadStatedEffects`.
 */
export function statedEffects<One extends EffectCondition>(
  conditions: readonly One[],
  rows: readonly PublishedStatedEffectRow[],
  options: SlopeEffectOptions = {},
): StatedEffect<One>[] {
  return rows.map((row) => {
    const effect = slopeEffect(conditions, row, options);
    return { ...effect, stated: statedWords(row), verdict: statedVerdict(row, effect) };
  });
}

function statedWords({ sign, excludes_zero }: PublishedStatedEffectRow): string | undefined {
  if (sign === undefined) return undefined;
  if (excludes_zero === undefined) return sign;
  return `${sign}, interval ${excludes_zero ? "excludes" : "holds"} zero`;
}
