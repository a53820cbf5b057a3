import assert from "node:assert/strict";
import { createRng, type Rng } from "@/core/rng.ts";
import { bootstrapSlope } from "@/stats/bootstrap_slope.ts";
import { referenceSlopes } from "@/stats/lyapunov_slope.ts";
import { sequentialDifference, sequentialSlope } from "@/stats/sequential.ts";
import { sequentialWidth } from "@/stats/sequential_width.ts";
import { normalQuantile, studentT, studentTBound } from "@/stats/distributions.ts";
import { stagedInterval } from "@/stats/group_sequential.ts";
import { observedSlope } from "@/stats/weighted_slopes.ts";
import { growing } from "./ensembles.ts";

const rng = createRng(1), looks = [8, 12, 16];
const part = (seed: number, rate: number, replicates = 16) => growing(createRng(seed), rate, { replicates });
const still = part(2, 0), parting = part(3, 0.1);

Deno.test("sequentialSlope() stops at the first look whose p is at its level, and takes no later one", () => {
  const { looks: seen, stoppedAt, decision } = sequentialSlope(parting, { looks, rng });
  assert.equal(decision, "growth");
  assert.equal(seen.length, stoppedAt);
  for (const [i, { p, level, decision }] of seen.entries()) {
    assert.equal(decision, i === stoppedAt! - 1 ? "growth" : "go on");
    assert.equal(p! <= level!, decision === "growth");
  }
});

Deno.test("sequentialSlope() without growth takes every look and decides nothing", () => {
  const { looks: seen, stoppedAt, decision } = sequentialSlope(still, { looks, rng });
  assert.deepEqual([seen.map(({ n }) => n), stoppedAt, decision], [looks, undefined, "no decision"]);
  assert.deepEqual(seen.map(({ decision }) => decision), ["go on", "go on", "no decision"]);
});

Deno.test("a single look is the fixed design: its level is α, its interval bootstrapSlope's", () => {
  const { looks: [seen], lambda, low, high, fixed } = sequentialSlope(still, { looks: [16], rng, alpha: 0.03 });
  const single = bootstrapSlope(still, { rng: rng.fork(16), resamples: 2000 });
  assert.ok(Math.abs(seen!.level! - 0.03) < 1e-9);
  assert.equal(seen!.fixedP, single.p);
  assert.deepEqual(fixed, { estimate: single.lambda, low: single.low, high: single.high, p: single.p });
  const close = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-6, `${a} against ${b}`);
  close(lambda!, single.lambda!);
  close(low!, single.low!);
  close(high!, single.high!);
});

Deno.test("an early look sees the same whatever comes after it", () => {
  const early = sequentialSlope(still.slice(0, 12), { looks, rng }), late = sequentialSlope(still, { looks, rng });
  assert.deepEqual(early.looks, late.looks.slice(0, 2));
  assert.equal(early.looks.at(-1)!.decision, "go on");
});

Deno.test("against a walk the slope of a random walk is what zero is otherwise", () => {
  const { randomWalk } = referenceSlopes();
  const grown = still.map((run) => run.map((state, t) => state.map((x) => x * Math.exp(randomWalk * (t + 1)))));
  const zero = sequentialSlope(still, { looks, rng }), walk = sequentialSlope(grown, { looks, rng, against: "walk" });
  for (const [i, { p, fixedP }] of walk.looks.entries()) {
    assert.equal(fixedP, zero.looks[i]!.fixedP);
    assert.ok(Math.abs(p! - zero.looks[i]!.p!) < 1e-12);
  }
  assert.ok(Math.abs(walk.lambda! - zero.lambda! - randomWalk) < 1e-9);
  assert.ok(
    Math.abs(walk.low! - zero.low! - randomWalk) < 1e-6 && Math.abs(walk.high! - zero.high! - randomWalk) < 1e-6,
  );
  assert.ok(Math.abs(walk.fixed.estimate! - bootstrapSlope(grown, { rng }).lambda!) < 1e-12);
});

Deno.test("the interval holds the one that allows for the looks and that of a fixed number of runs", () => {
  for (const runs of [still, parting]) {
    const { low, high, fixed } = sequentialSlope(runs, { looks, rng });
    assert.ok(low! <= fixed.low! && high! >= fixed.high!);
  }
});

Deno.test("a look that adds no run is skipped, and so is one without a p, which keeps its α", () => {
  const equal = Array.from({ length: 8 }, () => still[0]!);
  const late = [...equal, ...still.slice(0, 8)];
  const { looks: seen } = sequentialSlope(late, { looks: [8, 8, 16], rng });
  assert.deepEqual(seen.map(({ decision }) => decision), ["skipped", "skipped", "no decision"]);
  assert.deepEqual(seen.map(({ reason }) => reason), ["no-divergence", "no-new-runs", undefined]);
  assert.ok(Math.abs(seen[2]!.level! - 0.05) < 1e-6);
});

Deno.test("a look with a level finer than the resamples is skipped", () => {
  const options = { looks: [8, 24, 40], rng, spending: "obrien-fleming" } as const;
  const { looks: [first] } = sequentialSlope(part(4, 0, 40), { ...options, resamples: 500 });
  assert.deepEqual([first!.decision, first!.reason, first!.level], ["skipped", "level-too-fine", undefined]);
});

Deno.test("runs that are all equal end without a decision, an estimate or an interval", () => {
  const found = sequentialSlope(Array.from({ length: 12 }, () => still[0]!), { looks: [8, 12], rng });
  assert.deepEqual([found.decision, found.lambda, found.low, found.reason], [
    "no decision",
    undefined,
    undefined,
    "no-divergence",
  ]);
});

Deno.test("where runs were lost, levels follow the runs that there are, and the last look spends what is left", () => {
  const whole = sequentialSlope(still, { looks, rng }).looks;
  const lost = sequentialSlope(still.slice(0, 14), { looks: [7, 11, 14], largest: 16, rng }).looks;
  assert.ok(lost[0]!.level! < whole[0]!.level!);
  assert.ok(lost[2]!.level! > whole[2]!.level! - 0.005);
});

const refused: readonly (readonly [number[], RegExp])[] = [
  [[8, 6, 16], /look 2 is at 6 runs, the one before at 8: put them in order/],
  [[8, 12], /there are 16 runs, and looks at 8, 12/],
  [[8, 12.5, 16], /look 2 is at 12.5 runs: must be a whole number/],
  [[], /looks is no list/],
];
for (const [looks, message] of refused) {
  Deno.test(`sequentialSlope() refuses looks at [${looks}]`, () => {
    assert.throws(() => sequentialSlope(still, { looks, rng }), { name: "RangeError", message });
  });
}

Deno.test("sequentialDifference() finds two slopes apart, and its sign is that of the first less the second", () => {
  const up = sequentialDifference(parting, still, { looks, rng }),
    down = sequentialDifference(still, parting, { looks, rng });
  assert.deepEqual([up.decision, down.decision], ["difference", "difference"]);
  assert.ok(up.delta! > 0.04 && down.delta! < -0.04);
  assert.equal(sequentialDifference(still, part(9, 0), { looks, rng }).decision, "no decision");
  assert.throws(
    () => sequentialDifference(still, parting.slice(1), { looks, rng }),
    /ablated 15: a look takes as many/,
  );
});

/** Pearson's correlation. */
function correlation(x: readonly number[], y: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [a, b] = [mean(x), mean(y)];
  const product = (u: readonly number[], c: number, v: readonly number[], d: number) =>
    mean(u.map((value, i) => (value - c) * (v[i]! - d)));
  return product(x, a, y, b) / Math.sqrt(product(x, a, x, a) * product(y, b, y, b));
}

Deno.test("slopes in their errors are correlated between looks as √(n_j/n_k) says, a little less at few runs", () => {
  const ensembles = 600, sizes = [10, 20, 40];
  const ar = (rng: Rng) => {
    let x = [rng.normal(), rng.normal()];
    return Array.from({ length: 20 }, () => x = x.map((value) => 0.8 * value + 0.6 * rng.normal()));
  };
  const z = Array.from({ length: ensembles }, (_, e) => {
    const runs = Array.from({ length: 40 }, (_, i) => ar(createRng(7).fork(e).fork(i)));
    return sizes.map((n) => {
      const { lambda, error } = observedSlope(runs.slice(0, n), { from: 3, to: 20 }, { kind: "delete-one" });
      return lambda! / error!;
    });
  });
  for (const [j, k] of [[0, 1], [0, 2], [1, 2]] as const) {
    const found = correlation(z.map((one) => one[j]!), z.map((one) => one[k]!)),
      wanted = Math.sqrt(sizes[j]! / sizes[k]!);
    assert.ok(found > wanted - 0.13 && found < wanted + 0.06, `${found} against ${wanted}`);
  }
});

Deno.test("sequentialWidth() takes as many runs as Stein's rule says, and its interval is at least that wide", () => {
  const runs = part(5, 0.05, 60), halfWidth = 0.02;
  const { error } = observedSlope(runs.slice(0, 12), { from: 3, to: 20 }, { kind: "delete-one" });
  const bound = studentTBound(0.95, 11) * error! * Math.sqrt(12),
    needed = Math.max(12, Math.ceil((bound / halfWidth) ** 2));
  const pilot = sequentialWidth(runs.slice(0, 12), { halfWidth, atMost: 60, rng });
  assert.equal(pilot.needed, needed);
  assert.equal(pilot.decision, needed > 12 ? "go on" : "narrow");
  const found = sequentialWidth(runs, { halfWidth, atMost: 60, rng });
  const single = bootstrapSlope(runs.slice(0, needed), { rng, resamples: 2000 });
  const half = Math.max(bound / Math.sqrt(needed), (single.high! - single.low!) / 2);
  assert.ok(Math.abs((found.high! - found.low!) / 2 - half) < 1e-12);
  assert.equal(found.decision, half <= halfWidth ? "narrow" : "no decision");
  const capped = sequentialWidth(runs.slice(0, 14), { halfWidth: 0.001, atMost: 14, rng });
  assert.deepEqual([capped.needed, capped.decision], [14, "no decision"]);
});

Deno.test("sequentialWidth() refuses a pilot of less than eight runs and a width of nothing", () => {
  assert.throws(
    () => sequentialWidth(still, { halfWidth: 0.02, atMost: 40, pilot: 7, rng }),
    /pilot is 7: must be 8 runs/,
  );
  assert.throws(() => sequentialWidth(still, { halfWidth: 0, atMost: 40, rng }), /halfWidth is 0: must be positive/);
  assert.throws(
    () => sequentialWidth(still, { halfWidth: 0.02, atMost: 10, rng }),
    /atMost is 10: must be the 12 runs/,
  );
});

Deno.test("the p of a look is the larger of the library's and jackknife-t's", () => {
  const larger = [0, 0];
  for (let seed = 0; seed < 12; seed++) {
    const runs = part(20 + seed, 0, 8), { looks: [seen] } = sequentialSlope(runs, { looks: [8], rng });
    const { lambda, error } = observedSlope(runs, { from: 3, to: 20 }, { kind: "delete-one" });
    const tail = 1 - studentT(lambda! / error!, 7);
    assert.equal(seen!.p, Math.max(seen!.fixedP!, tail));
    larger[tail > seen!.fixedP! ? 1 : 0]!++;
  }
  assert.ok(Math.min(...larger) > 0, "both must be the larger at times");
});

Deno.test("the estimate allows for a look by the error that it had itself, where that was the larger", () => {
  const q = normalQuantile(0.975);
  let larger = 0;
  for (let seed = 0; seed < 12; seed++) {
    const runs = part(40 + seed, 0.01), found = sequentialSlope(runs, { looks: [8, 16], rng });
    if (found.looks.length < 2) continue;
    const [first, last] = [8, 16].map((n) => bootstrapSlope(runs.slice(0, n), { rng: rng.fork(n), resamples: 2000 }));
    const [early, late] = [first!, last!].map(({ low, high }) => (high! - low!) / 2 / q);
    const information = Math.min(early! ** -2, late! ** -2 / 2);
    if (early! ** -2 < late! ** -2 / 2) larger++;
    const upper = normalQuantile(1 - found.looks[0]!.level!);
    const before = [{ information, upper, lower: -Infinity }];
    const { theta } = stagedInterval(before, { error: late!, z: last!.lambda! / late!, level: 0.95 });
    assert.ok(Math.abs(found.lambda! - theta) < 1e-6, `${found.lambda} against ${theta}`);
  }
  assert.ok(larger > 1, "some early look must have the larger error");
});
