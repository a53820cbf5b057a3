import assert from "node:assert/strict";
import { coverageStudy, rateOf } from "@/paper/coverage_study.ts";
import { KNOWN_ENSEMBLES, type KnownEnsemble } from "@/paper/known_ensembles.ts";

const OPTIONS = { seed: 1, ensembles: 12, resamples: 40, lawResamples: 40, permutations: 39 };
const places = [0, 1, 3, 4.5, 7, 7.5];

/** All distances grow by e^λ a round exactly, so that every interval is a point at λ. */
const exact = (lambda: number, claimed = lambda): KnownEnsemble => ({
  label: "exact",
  made: "by hand",
  lambda: claimed,
  law: "exponential",
  kind: "growing",
  draw: () => places.map((place) => Array.from({ length: 20 }, (_, t) => [place * Math.exp(lambda * t)])),
});

Deno.test("coverageStudy() of a false claim never covers, and finds growth with every test", () => {
  const { bias, coverage, rejects, best, ensembles } = coverageStudy(exact(0.1, 0.2), OPTIONS);
  assert.equal(ensembles, 12);
  assert.ok(Math.abs(bias.value + 0.1) < 1e-9 && bias.error < 1e-9);
  assert.deepEqual([coverage.percentile.value, coverage.studentised.value], [0, 0]);
  assert.deepEqual(Object.values(rejects).map(({ value }) => value), [1, 1, 1, 1]);
  assert.equal(best.exponential?.value, 1);
});

Deno.test("coverageStudy() of replicates that come together finds nothing", () => {
  const { rejects } = coverageStudy(exact(-0.1), OPTIONS);
  assert.deepEqual(Object.values(rejects).map(({ value }) => value), [0, 0, 0, 0]);
});

Deno.test("coverageStudy() counts what does not exist as neither covering nor rejecting", () => {
  const frozen: KnownEnsemble = { ...exact(0), draw: () => [0, 0, 0].map(() => Array.from({ length: 20 }, () => [1])) };
  const { coverage, rejects, best } = coverageStudy(frozen, { ...OPTIONS, ensembles: 3 });
  assert.deepEqual([coverage.percentile.value, coverage.studentised.value], [0, 0]);
  assert.deepEqual(Object.values(rejects).map(({ value }) => value), [0, 0, 0, 0]);
  assert.deepEqual(best, {});
});

Deno.test("coverageStudy() counts intervals that hold the truth; one seed gives one study, and a longer one begins as it", () => {
  const walk = KNOWN_ENSEMBLES.find(({ label }) => label === "random walk")!;
  const study = coverageStudy(walk, OPTIONS);
  assert.ok(study.coverage.percentile.value >= 0.6 && study.coverage.studentised.value >= 0.6);
  assert.deepEqual(coverageStudy(walk, OPTIONS), study);
  const hits = (ensembles: number) =>
    coverageStudy(walk, { ...OPTIONS, ensembles }).coverage.percentile.value * ensembles;
  const [five, six] = [hits(5), hits(6)].map(Math.round);
  assert.ok(six === five || six === five! + 1);
});

Deno.test("rateOf() has a standard error even where nothing varies", () => {
  const rate = rateOf([true, true, true, false]);
  // Two more of each: 5 of 8.
  assert.deepEqual(rate, { value: 0.75, error: Math.sqrt((5 / 8) * (3 / 8) / 8) });
  assert.ok(rateOf([true, true]).error > 0);
});
