import type { PublishedStatedEffectRow } from "../schema/published_stated_effect.ts";
import { type EffectCondition, type SlopeEffect, slopeEffect, type SlopeEffectOptions } from "./slope_effect.ts";
import { type StatedVerdict, statedVerdict } from "./stated_verdict.ts";

/** An effect that the paper draws and puts into words, measured here. */
export interface StatedEffect<One extends EffectCondition> extends SlopeEffect<One> {
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
