import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { loadCleanLiveRuns } from "@/lab/paper/published_station.ts";
import { planBenchmark, type SeededScore, varianceComponents } from "@/stats/variance_components.ts";

const near = (value: number, expected: number, within: number, what = "") =>
  assert.ok(Math.abs(value - expected) <= within, `${what} ${value} instead of ${expected}`);

Deno.test("Table 11: F, p and reliability against sums of squares from raw totals", async () => {
  const runs = (await loadCleanLiveRuns()).map(({ model, seed, q }) => ({ council: model, seed: seed!, value: q! }));
  const total = (own: readonly SeededScore[]) => own.reduce((sum, { value }) => sum + value, 0);
  const correction = total(runs) ** 2 / 30;
  const of = (key: "council" | "seed", each: number) =>
    [...Map.groupBy(runs, (run) => run[key]).values()].reduce((sum, own) => sum + total(own) ** 2 / each, 0) -
    correction;
  const [models, seeds] = [of("council", 6), of("seed", 5)];
  const all = runs.reduce((sum, { value }) => sum + value ** 2, 0) - correction;
  const error = (all - models - seeds) / 20;
  const { F, reliability, variance } = varianceComponents(runs);
  near(F.council.F, models / 4 / error, 1e-9);
  near(F.seed.F, seeds / 5 / error, 1e-9);
  near(reliability, 1 - error / (models / 4), 1e-9);
  // As worked out by hand, to the digits given.
  [[F.council.F, 1.58], [F.council.p, 0.22], [F.seed.F, 0.58], [F.seed.p, 0.71], [reliability, 0.37]]
    .forEach(([value, expected]) => near(value!, expected!, 0.005));
  assert.equal(variance.replicate, undefined);
  near(planBenchmark({ variance }, { seeds: 6 }).reliability, reliability, 1e-12);
});

/** Scores with known parts: council, seed, council on seed, replicate. */
function simulated(sizes: [number, number, number], sd: [number, number, number, number], seed: number): SeededScore[] {
  const [councils, seeds, replicates] = sizes, rng = createRng(seed), [c, s, l, r] = sd;
  const hard = Array.from({ length: seeds }, () => s * rng.normal());
  return Array.from({ length: councils }, (_, i) => {
    const own = c * rng.normal();
    return hard.flatMap((weather, k) => {
      const both = own + weather + l * rng.normal();
      return Array.from({ length: replicates }, () => ({ council: `${i}`, seed: k, value: both + r * rng.normal() }));
    });
  }).flat();
}

Deno.test("varianceComponents() recovers known components, and the reliability that they give", () => {
  const made = varianceComponents(simulated([150, 150, 3], [0.3, 0.2, 0.1, 0.4], 1));
  const { council, seed, left, replicate } = made.variance;
  near(council, 0.09, 0.03, "council");
  near(seed, 0.04, 0.015, "seed");
  near(left, 0.01, 0.004, "left");
  near(replicate!, 0.16, 0.003, "replicate");
  const noise = 0.01 + 0.16 / 2;
  near(planBenchmark(made, { seeds: 5, replicates: 2 }).reliability, 0.09 / (0.09 + noise / 5), 0.04);
  const exact = { variance: { council: 0.09, seed: 0.04, left: 0.01, replicate: 0.16 } };
  // 4 · 0.09 / 0.09 seeds for a reliability of 0.8.
  assert.equal(planBenchmark(exact, { seeds: 5, replicates: 2 }).needed, 4);
});

Deno.test("without effects F rejects as often as its level says, and the variance is 0 on average", () => {
  const made = Array.from({ length: 400 }, (_, i) => varianceComponents(simulated([5, 6, 1], [0, 0, 1, 0], i)));
  for (const  of of["council", "seed"] as const) {
    const rejected = made.filter(({ F }) => F[of].p <= 0.05).length / made.length;
    near(rejected, 0.05, 4 * Math.sqrt(0.05 * 0.95 / 400), of);
    const mean = made.reduce((sum, { variance }) => sum + variance[of], 0) / made.length;
    near(mean, 0, 0.05, of);
  }
});

Deno.test("bad input is named: one seed, other seeds, unequal runs, no score, unmeasured replicates", () => {
  const good = simulated([3, 4, 2], [1, 1, 1, 1], 1);
  assert.throws(
    () => varianceComponents(good.filter(({ seed }) => seed === 0)),
    /councils: 3, seeds: 1; there must be at least two/,
  );
  assert.throws(() => varianceComponents(good.slice(1)), /0 has 1 of .* on seed 0: every council needs the same seeds/);
  const other = good.map((one) => one.council === "2" && one.seed === 3 ? { ...one, seed: 9 } : one);
  assert.throws(() => varianceComponents(other), /every council needs the same seeds/);
  for (const value of [NaN, Infinity, undefined]) {
    const unscored = { ...good[0]!, value } as SeededScore;
    const named = new RegExp(`^RangeError: 0, seed 0: ${value} is no score; run it again, or leave the seed out`);
    assert.throws(() => varianceComponents([unscored, ...good.slice(1)]), named);
  }
  const once = varianceComponents(simulated([3, 4, 1], [1, 1, 1, 1], 1));
  assert.throws(() => planBenchmark(once, { seeds: 6, replicates: 2 }), /was not measured/);
  assert.throws(() => planBenchmark(once, { seeds: 0 }), /at least 1 each/);
  assert.throws(() => planBenchmark(once, { seeds: 6, target: 1 }), /between 0 and 1/);
});

Deno.test("scores that add up exactly leave no variation, whatever rounding says", () => {
  // value = council + seed: what is left is rounding alone, about 1e-17 of it.
  const additive = [0.1, 0.3, 0.7].flatMap((a) =>
    [0.01, 0.02, 0.05, 0.11].map((b, seed) => ({ council: `${a}`, seed, value: a + b }))
  );
  for (const scale of [1, 1e-6, 1e9]) {
    const scores = additive.map((one) => ({ ...one, value: scale * one.value }));
    assert.throws(() => varianceComponents(scores), /no variation to compare with/, `${scale}`);
    // A thousandth of a seed's effect is variation.
    const moved = scores.with(0, { ...scores[0]!, value: scores[0]!.value + scale * 1e-5 });
    assert.ok(varianceComponents(moved).F.council.F > 1);
  }
});

Deno.test("planBenchmark() refuses a variance that is no number", () => {
  const variance = { council: 0.1, seed: 0.1, left: NaN };
  assert.throws(
    () => planBenchmark({ variance }, { seeds: 5 }),
    /^RangeError: variance\.left is NaN: must be a finite/,
  );
  assert.throws(() => planBenchmark({ variance: { ...variance, left: 1 } }, { seeds: NaN }), /NaN seeds/);
});
