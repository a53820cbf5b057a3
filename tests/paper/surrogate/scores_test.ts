import assert from "node:assert/strict";
import { parameters } from "../../model/surrogate/parameters.ts";
import { createRng } from "@/core/rng.ts";
import { landscapeTargets } from "@/paper/surrogate/fit_targets.ts";
import { STAGE_ONE_KNOBS } from "@/paper/surrogate/fit.ts";
import { PREDICTIONS } from "@/paper/surrogate/predictions.ts";
import { predictionInterval, publishedScores, type ScoreRow } from "@/paper/surrogate/scores.ts";
import { simulatedLambda } from "@/paper/surrogate/simulated_facts.ts";
import { SPLIT } from "@/paper/surrogate/split.ts";
import { loadSurrogateParameters } from "@/runs/scenarios.ts";

// The parameters of the tests: what is asked does not depend on a fit, and no fitted score is looked at here.
const told: number[] = [];
const scores = await publishedScores(parameters, {
  seed: 3,
  ensembles: 2,
  onCondition: (done, of) => void told.push(done / of),
});
const { rows, signs } = scores;
const published = (group: string, condition: string) =>
  rows.find((row) => row.group === group && row.condition === condition)?.published;

Deno.test("publishedScores() asks each published number once, on its side of the split", () => {
  const counts = (groups: readonly string[]) => groups.map((group) => rows.filter((row) => row.group === group).length);
  // Fig. 1B 4 and Table S5 7; S8; S6; S5 twice; S7; S4.3; signs; S3.
  assert.deepEqual(counts(Object.keys(SPLIT.trained)), [11, 20, 8, 7, 7, 3, 3, 0, 1, 1]);
  // S8; S6; 16 of the sweep less two at T = 0 and two of S8; wordings; 14 of the sweep and the wordings; S7; signs; S1.
  assert.deepEqual(counts(Object.keys(SPLIT.heldOut)), [24, 8, 12, 1, 15, 15, 2, 0, 0, 1]);
  assert.equal(
    new Set(rows.map(({ group, condition }, i) => `${group}/${condition}/${group.startsWith("outcomes") ? i : ""}`))
      .size,
    rows.length,
  );
  const heldOut = rows.filter(({ group }) => group.startsWith("λ̂") && group in SPLIT.heldOut);
  assert.equal(heldOut.length, 45);
  assert.ok(heldOut.every(({ condition }) => !/T = 0,|mandate/.test(condition)), "no λ̂ of T = 0");
  const signGroups = Map.groupBy(signs, ({ group }) => group);
  assert.deepEqual([...signGroups].map(([group, of]) => [group, of.length]), [
    ["ablations of HL-01", 2],
    ["the Chair's ablation elsewhere", 3],
    ["memory", 6],
  ]);
  assert.deepEqual([told.length, told.at(-1)], [told.length, 1]);
});

Deno.test("publishedScores() has the published values", () => {
  assert.equal(published("λ̂ of IM-01 and HL-01 at T = 0", "HL-01 mixed, roles off"), 0.0947);
  assert.equal(published("λ̂ of IM-01 and HL-01 at T = 0", "IM-01 without Chair's mandate"), 0.0304);
  assert.equal(published("λ̂ of the scenarios at T = 0.1", "CL-01, roles on, T = 0.1"), 0.0904);
  assert.equal(published("λ̂ of the scenarios at T = 0.1", "IM-01 T = 0.1, roles off"), 0.0308);
  assert.equal(published("λ̂ of the models at T = 0.1", "IM-01 Claude Sonnet 4.6, roles off, T = 0.1"), -0.0079);
  assert.equal(published("λ̂ at other temperatures", "IM-01 T = 1e-4, roles on"), 0.04);
  assert.equal(published("λ̂ across wordings", "IM-01 with roles, 6 wordings"), 0.03);
  assert.equal(published("flip rate at T = 0", "IM-01 without Rights's mandate"), 0.5);
  assert.equal(published("flip rate elsewhere", "IM-01 T = 0.2, roles on"), 0.55);
  assert.equal(published("time to majority at T = 0", "IM-01 without Chair's mandate"), 16);
  assert.equal(published("switches: Chair, Welfare, Rights", "Chair"), 2.76);
  assert.equal(published("branching entropy Γ̂", "IM-01 with roles, T = 0.7, from round 5"), 0.054);
  assert.equal(rows.find(({ group }) => group === "the Chair's fall in IM-01")?.published.toFixed(4), "0.0534");
  assert.deepEqual(rows.filter(({ group }) => group === "outcomes of IM-01").map((row) => row.published), [
    4 / 6,
    2 / 6,
    0,
  ]);
});

Deno.test("a score is the mean of ensembles of its own seeds, with their prediction interval and one √2 wider", async () => {
  const { name, lambda, spec } = (await landscapeTargets(0.1)).get("SP-03")![1]!;
  const draws = [0, 1].map((e) =>
    simulatedLambda(spec, parameters, createRng(3).fork(`${name}, T = 0.1`).fork(e).key, 20)
  );
  const { mean: measured, low, high } = predictionInterval(draws);
  const row = rows.find(({ condition }) => condition === `${name}, T = 0.1`)!;
  assert.deepEqual([row.published, row.measured, row.low, row.high], [lambda, measured, low, high]);
  assert.equal(row.verdict, lambda < low! ? "published below" : lambda > high! ? "published above" : "inside");
  const reach = Math.SQRT2 * (high! - measured!);
  assert.equal(row.wide === "inside", Math.abs(lambda - measured!) <= reach);
});

Deno.test("what cannot be negative has no negative bound; slopes and their falls can", () => {
  const slope = ({ group }: ScoreRow) => /^(λ̂|the Chair)/.test(group);
  assert.ok(rows.filter((row) => !slope(row)).every(({ low }) => low >= 0));
  assert.ok(rows.filter(slope).some(({ low }) => low < 0));
});

Deno.test("scores on file, expected ones and those of the earlier mechanism, are of the groups and signs of today", () => {
  const { earlier, expected } = PREDICTIONS;
  const groups = Object.values(SPLIT).flatMap((side) => Object.keys(side));
  const counted = groups.flatMap((group) => {
    const n = rows.filter((row) => row.group === group).length;
    return n === 0 ? [] : [[group, n]];
  });
  assert.deepEqual(earlier.table.map(({ group, n }) => [group, n]), [...counted, ["all held-out λ̂", 45]]);
  assert.deepEqual(earlier.signs.map(({ statement }) => statement), signs.map(({ statement }) => statement));
  const withNumbers = Object.keys(SPLIT.heldOut).filter((group) => counted.some(([name]) => name === group));
  assert.deepEqual(expected.expected.map(({ group }) => group), [...withNumbers, "all held-out λ̂"]);
});

Deno.test("the refits on file are of every fitted number, and begin with the committed ones", async () => {
  const { losses, parameters: refitted } = PREDICTIONS.refits;
  const committed = await loadSurrogateParameters();
  assert.deepEqual(refitted.map(({ name }) => name), STAGE_ONE_KNOBS.map(({ name }) => name));
  refitted.forEach(({ values, name }, i) => {
    assert.equal(values.length, losses.length, name);
    assert.equal(values[0], Number(STAGE_ONE_KNOBS[i]!.get(committed).toPrecision(4)), name);
  });
});

Deno.test("predictionInterval(): covers one more draw as often as it says, and is honest about too few", () => {
  assert.deepEqual(predictionInterval([]), { n: 0 });
  assert.deepEqual(predictionInterval([undefined, 4]), { n: 1, mean: 4 });
  assert.deepEqual(predictionInterval([2, 2, 2]), { n: 3, mean: 2, low: 2, high: 2 });
  const rng = createRng(1);
  let covered = 0;
  for (let trial = 0; trial < 4000; trial++) {
    const { low, high } = predictionInterval(Array.from({ length: 20 }, () => rng.normal()));
    const next = rng.normal();
    if (low! <= next && next <= high!) covered++;
  }
  // Student's t on 19 degrees puts 0.935 within 1.96 of its own units; four standard errors of the share are 0.016.
  assert.ok(Math.abs(covered / 4000 - 0.935) < 0.016, `${covered / 4000}`);
});
