import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { drawnLaw, lawsOfGrowth, quickMeasures, slopeInterval } from "@/explorer/committee/measures.ts";
import { openingState, withFrom, withReplicates, withTo } from "@/explorer/committee/state.ts";
import { bootstrapSlope } from "@/stats/bootstrap_slope.ts";
import { divergence } from "@/stats/divergence.ts";
import { growthLaws } from "@/stats/growth_laws.ts";
import { entryOf, measuredOf, opening } from "./committee_entries.ts";

/** Replicates that drift by steps of chance. */
const rng = createRng(5);
const drifting = {
  ...{ label: "drifting", name: "HL-00", synthetic: true, target: 9 },
  means: Array.from({ length: 9 }, () => {
    const at = [0, 0, 0];
    return Array.from({ length: 20 }, () => at.map((_, k) => at[k]! += rng.normal()));
  }),
};

Deno.test("a distance that doubles every round has slope ln 2 and grows exponentially in every resample", () => {
  const { quick: { slope }, careful: { bootstrap, laws } } = opening;
  for (const value of [slope.lambda, bootstrap!.low, bootstrap!.high]) {
    assert.ok(Math.abs(value! - Math.LN2) < 1e-12);
  }
  assert.equal(laws!.best, "exponential");
});

Deno.test("D ∝ √t and D ∝ t have the slopes that the strip gives for them over any window", () => {
  for (const [from, to] of [[3, 20], [1, 3], [7, 12]] as const) {
    const at = (f: (t: number) => number) => withFrom(withTo(openingState(entryOf(f)), to), from);
    const walk = quickMeasures(at(Math.sqrt)), straight = quickMeasures(at((t) => 0.3 * t));
    assert.ok(Math.abs(walk.slope.lambda! - walk.references.randomWalk) < 1e-12);
    assert.ok(Math.abs(straight.slope.lambda! - straight.references.ballistic) < 1e-12);
  }
});

Deno.test("what the page measures is what a notebook measures: chance is forked from the condition's name", () => {
  const state = withReplicates(withFrom(withTo(openingState(drifting), 17), 4), 7);
  const runs = drifting.means.slice(0, 7);
  const chance = { seed: 3, resamples: 100 };
  const options = { rng: createRng(chance.seed).fork("HL-00"), resamples: chance.resamples };
  const { lambda, low, high, studentised } = bootstrapSlope(runs, { ...options, from: 4, to: 17 });
  const quick = quickMeasures(state), interval = slopeInterval(state, chance);
  assert.deepEqual([quick.D, quick.slope.lambda], [divergence(runs), lambda]);
  assert.deepEqual([interval.low, interval.high, interval.studentised], [low, high, studentised]);
  const whole = openingState(drifting);
  const { laws, best } = growthLaws(drifting.means, options);
  const mine = lawsOfGrowth(whole, chance);
  assert.deepEqual([mine.laws, mine.best], [laws, best]);
  assert.ok(laws.some(({ share }) => share > 0 && share < 1), "a case with something to compare");
});

Deno.test("two replicates have a slope, but no interval and no laws", () => {
  const { quick, careful: { bootstrap, laws } } = measuredOf(withReplicates(openingState(drifting), 2));
  assert.ok(quick.slope.lambda !== undefined);
  assert.deepEqual([bootstrap!.low, bootstrap!.reason], [undefined, "too-few-replicates"]);
  assert.deepEqual([laws!.laws, laws!.reason], [[], "too-few-replicates"]);
});

Deno.test("the law drawn is the one asked for, the best one, or none", () => {
  const drawn = (law: typeof opening.state.law, measured = opening) =>
    drawnLaw({ ...measured, state: { ...measured.state, law } })?.law;
  assert.deepEqual([drawn("best"), drawn("plateau"), drawn("none")], ["exponential", "plateau", undefined]);
  assert.equal(drawn("best", { ...opening, careful: {} }), undefined, "not known yet");
});
