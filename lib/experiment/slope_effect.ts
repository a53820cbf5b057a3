import { createRng } from "../core/rng.ts";
import type { Condition } from "../schema/condition.ts";
import type { PublishedStatedEffectRow } from "../schema/published_stated_effect.ts";
import { Role } from "../schema/role.ts";
import { slopeDifference } from "../stats/slope_difference.ts";
import type { Trajectory } from "../stats/trajectory.ts";
import type { UndefinedReason } from "../stats/undefined_reason.ts";
import { findCondition, type WantedCondition } from "./find_condition.ts";

/** What differs from the full committee with k = 15, worded as in a condition's name. */
export type EffectChange = PublishedStatedEffectRow["change"];

/** What an effect is measured on: a condition and its committee means, [R][T][K]. */
export interface EffectCondition {
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
export interface SlopeEffectOptions {
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

function settings(change: EffectChange): Omit<WantedCondition, "scenario"> {
  if (change === "no-roles") return { roles: false };
  if (change === "k3" || change === "k1") return { window: Number(change.slice(1)) };
  return { ablate: ablatedBy(change) };
}

/** The role whose mandate a change takes away, if it does. */
export function ablatedBy(change: EffectChange): Role | undefined {
  return Role.options.find((role) => change === `ablate-${role}`);
}

/** A change in words: `without Chair`, `no roles`, `k = 3`. */
export function changeWords(change: EffectChange): string {
  if (change === "no-roles") return "no roles";
  return change === "k3" || change === "k1" ? `k = ${change.slice(1)}` : `without ${ablatedBy(change)}`;
}
