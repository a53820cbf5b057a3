import assert from "node:assert/strict";
import { close, growing, proportional } from "../stats/ensembles.ts";
import { createRng } from "@/core/rng.ts";
import { drawEnsemble, intervalStudy, pilotStudy, powerStudy } from "@/paper/power_study.ts";
import { planReplicates } from "@/runs/plan_replicates.ts";
import { divergence, lyapunovSlope } from "@/stats/mod.ts";
import { slopeError } from "@/stats/slope_error.ts";

const rng = createRng(8);
/** Populations of two conditions that grow by 0.08 and 0.03 nats per round. */
const fast = growing(rng.fork("fast"), 0.08, { replicates: 300 });
const slow = growing(rng.fork("slow"), 0.03, { replicates: 300 });

Deno.test("powerStudy() gives the chance of a false alarm asked for where there is no difference to show", () => {
  const [row] = powerStudy(fast, slow, { rng, replicates: [12], effects: [0], ensembles: 200 });
  // The critical value is the 95 % quantile of these very pairs.
  assert.equal(row!.power[0], 0.05);
  assert.equal(row!.undefinedPairs, 0);
  const strict = powerStudy(fast, slow, { rng, replicates: [12], effects: [0], ensembles: 200, level: 0.9 })[0]!;
  assert.equal(strict.power[0], 0.1);
  assert.ok(strict.critical! < row!.critical!);
});

Deno.test("powerStudy(): a hidden difference changes nothing, effects of either sign show alike, and more runs show more", () => {
  const options = { rng, replicates: [8, 24], effects: [-0.02, 0.01, 0.02, 0.04], ensembles: 300 };
  const rows = powerStudy(fast, slow, options);
  // The same pools less their own growth: distances are other ones, ratios of them are not.
  const still = (runs: typeof fast, lambda: number) =>
    runs.map((run) => run.map((state, t) => state.map((x) => x * Math.exp(-lambda * t))));
  powerStudy(still(fast, 0.08), still(slow, 0.03), options).forEach((row, i) => {
    assert.ok(close(row.error, rows[i]!.error!, 1e-9));
    assert.deepEqual(row.power, rows[i]!.power);
  });
  for (const { power: [minus, least, plus, most] } of rows) {
    assert.ok(Math.abs(minus! - plus!) < 0.12, `${minus} and ${plus}`);
    assert.ok(least! <= plus! && plus! <= most!);
  }
  // With the normal quantile false alarms are near 5 % once there are some runs.
  assert.ok(rows[1]!.size < 0.1, `${rows[1]!.size}`);
  rows[0]!.power.forEach((power, i) => assert.ok(power <= rows[1]!.power[i]!));
  // The error of a difference falls as one over the root of R.
  assert.ok(Math.abs(rows[0]!.error! / rows[1]!.error! / Math.sqrt(3) - 1) < 0.2);
});

Deno.test("powerStudy() counts pairs that have no error as pairs that show nothing", () => {
  // With two of three runs drawn, no ensemble has three that differ.
  const three = proportional([0, 1, 3], 0.1);
  const [row] = powerStudy(three, three, { rng, replicates: [2], effects: [9], ensembles: 20 });
  assert.deepEqual(row, { replicates: 2, size: 0, power: [0], undefinedPairs: 20 });
  const four = fast.slice(0, 4);
  const [some] = powerStudy(four, four, { rng, replicates: [4], effects: [99], ensembles: 100 });
  assert.ok(some!.undefinedPairs > 20 && some!.undefinedPairs < 90, `${some!.undefinedPairs}`);
  assert.equal(some!.power[0], (100 - some!.undefinedPairs) / 100);
});

Deno.test("planReplicates() plans what fresh ensembles then show: power 0.8 within 0.1", () => {
  const effect = 0.02;
  const { replicates, error } = planReplicates([fast, slow], { effect });
  assert.ok(close(error! * (1.959963984540054 + 0.8416212335729143), effect, effect * 0.05));
  const ensembles = 250;
  const shown = Array.from({ length: ensembles }, (_, i) => {
    const draw = (name: string, lambda: number) =>
      slopeError(growing(rng.fork(`${name} ${i}`), lambda, { replicates: replicates! }));
    const [a, b] = [draw("a", 0.05), draw("b", 0.03)];
    return Math.abs(a.lambda! - b.lambda!) > 1.96 * Math.hypot(a.error!, b.error!);
  }).filter(Boolean).length;
  assert.ok(Math.abs(shown / ensembles - 0.8) < 0.1, `${shown / ensembles} with ${replicates} runs`);
  const [row] = powerStudy(fast, slow, { rng, replicates: [replicates!], effects: [effect], ensembles: 300 });
  assert.ok(Math.abs(row!.power[0]! - 0.8) < 0.1, `${row!.power[0]}`);
});

Deno.test("planReplicates() by hand: (1.96 + 0.8416)² times the sum of the pilots' variances over the effect squared", () => {
  const pilots = [fast.slice(0, 10), slow.slice(0, 15), fast.slice(10, 20), slow.slice(15, 30)];
  const variance = pilots.reduce((sum, pilot) => sum + pilot.length * slopeError(pilot).error! ** 2, 0);
  const byHand = Math.ceil(((1.95996398 + 0.84162123) ** 2 * variance) / 0.015 ** 2);
  assert.equal(planReplicates(pilots, { effect: -0.015 }).replicates, byHand);
  const strict = planReplicates(pilots, { effect: 0.015, power: 0.9, level: 0.99 }).replicates;
  assert.equal(strict, Math.ceil(((2.57582930 + 1.28155157) ** 2 * variance) / 0.015 ** 2));
  assert.equal(planReplicates(pilots, { effect: 9 }).replicates, 3, "fewer have no interval");
});

Deno.test("planReplicates() without a usable pilot says why, and refuses what cannot be planned", () => {
  assert.deepEqual(planReplicates([fast, fast.slice(0, 2)], { effect: 0.01 }), { reason: "too-few-replicates" });
  for (const effect of [0, NaN, Infinity]) {
    assert.throws(() => planReplicates([fast], { effect }), {
      name: "RangeError",
      message: new RegExp(`effect is ${effect}`),
    });
  }
  assert.throws(() => planReplicates([fast], { effect: 1, power: 1 }), { name: "RangeError", message: /power is 1/ });
  assert.throws(() => planReplicates([fast], { effect: 1, level: 0 }), { name: "RangeError", message: /level is 0/ });
});

Deno.test("intervalStudy(): widths halve with four times the runs, and hold the pool's slope about as often as they say", () => {
  const [few, many] = intervalStudy(fast, { rng, replicates: [10, 40], ensembles: 120, resamples: 100 });
  assert.ok(Math.abs(few!.percentile.width! / many!.percentile.width! / 2 - 1) < 0.15);
  for (const { percentile, studentised } of [few!, many!]) {
    for (const look of [percentile, studentised]) {
      assert.ok(look.coverage! > 0.86 && look.coverage! <= 1, `${look.coverage}`);
      assert.ok(look.low! < look.width! && look.width! < look.high!);
      assert.equal(look.missing, 0);
    }
  }
  const rough =
    intervalStudy(fast, { rng, replicates: [40], ensembles: 120, resamples: 100, level: 0.5 })[0]!.percentile;
  assert.ok(rough.width! < many!.percentile.width! / 2);
  assert.ok(Math.abs(rough.coverage! - 0.5) < 0.15, `${rough.coverage}`);
});

Deno.test("intervalStudy() of runs that all grow alike: no width, and the slope is always held or nearly", () => {
  const places = [0, 1, 3, 7, 9, 12];
  const [row] = intervalStudy(proportional(places, 0.1), { rng, replicates: [6], ensembles: 10, resamples: 20 });
  assert.ok(row!.percentile.width! < 1e-12);
  const [two] = intervalStudy(proportional(places, 0.1), { rng, replicates: [2], ensembles: 10, resamples: 20 });
  assert.deepEqual(two, { replicates: 2, percentile: { missing: 10 }, studentised: { missing: 10 } });
});

Deno.test("intervalStudy() describes no intervals that most ensembles do not have", () => {
  // Of 200 resamples of five runs some 20 hold two runs at most, and their slopes have no error: a tail of 5 % is 10.
  const [row] = intervalStudy(fast, { rng, replicates: [5], ensembles: 60, resamples: 200, level: 0.9 });
  assert.ok(row!.studentised.missing > 30 && row!.studentised.missing < 60, `${row!.studentised.missing}`);
  assert.deepEqual(Object.keys(row!.studentised), ["missing"]);
  assert.equal(row!.percentile.missing, 0);
});

Deno.test("pilotStudy(): plans from larger pilots agree better, about what all runs together say", () => {
  const pools = [fast, slow], options = { effect: 0.02, power: 0.8 };
  const [small, large] = pilotStudy(pools, { rng, sizes: [6, 40], pilots: 100, ...options });
  const all = planReplicates(pools, options).replicates!;
  assert.ok(Math.abs(large!.median! / all - 1) < 0.15, `${large!.median} for ${all}`);
  assert.ok(small!.low! < large!.low! && large!.low! < large!.median!);
  assert.ok(large!.median! < large!.high! && large!.high! < small!.high!);
  assert.equal(small!.withoutPlan, 0);
  const [pair] = pilotStudy(pools, { rng, sizes: [6], pilots: 2, ...options });
  assert.ok(pair!.high! - pair!.low! > 5, "two pilots that differ");
  assert.ok(Math.abs(2 * pair!.median! - pair!.low! - pair!.high!) <= 2, "have their middle between them");
  assert.deepEqual(pilotStudy(pools, { rng, sizes: [2], pilots: 9, ...options }), [{ size: 2, withoutPlan: 9 }]);
});

Deno.test("drawEnsemble() draws whole runs with replacement, which leaves the slope where it was", () => {
  const drawn = drawEnsemble(fast, 2000, rng.fork("draw"));
  assert.equal(drawn.length, 2000);
  assert.ok(drawn.every((run) => fast.includes(run)));
  assert.equal(new Set(drawn).size > 290 && new Set(drawn).size <= 300, true);
  const lambda = (runs: typeof fast) => lyapunovSlope(divergence(runs)).lambda!;
  const small = drawEnsemble(fast.slice(0, 20), 400, rng.fork("small"));
  assert.ok(Math.abs(lambda(small) - lambda(fast.slice(0, 20))) < 0.004);
  assert.throws(() => drawEnsemble([], 3, rng), { name: "RangeError", message: /no runs to draw from/ });
  assert.throws(() => drawEnsemble(fast, 1.5, rng), { name: "RangeError", message: /replicates is 1\.5/ });
});

Deno.test("powerStudy() and intervalStudy() refuse pools without a slope, naming them", () => {
  const frozen = [fast[0]!, fast[0]!, fast[0]!];
  const options = { rng, replicates: [5], effects: [0.1] };
  assert.throws(() => powerStudy(fast, frozen, options), {
    name: "RangeError",
    message: /"second" have no slope over rounds 3-20: no-divergence/,
  });
  assert.throws(() => intervalStudy(frozen, options), { name: "RangeError", message: /"pool" have no slope/ });
});
