import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { landscapeTargets } from "@/paper/surrogate/fit_targets.ts";
import { predictionInterval } from "@/paper/surrogate/fitted_rows.ts";
import { HELD_OUT_GROUPS, heldOut, type HeldOutRow, heldOutSummary } from "@/paper/surrogate/held_out.ts";
import { simulatedLambda } from "@/paper/surrogate/simulated_facts.ts";
import { loadSurrogateParameters } from "@/runs/scenarios.ts";

const parameters = await loadSurrogateParameters();
const told: number[] = [];
const rows = await heldOut(parameters, {
  seed: 3,
  ensembles: 2,
  onCondition: (done, of) => void told.push(done / of),
});
const group = (name: string) => rows.filter((row) => row.group === name);
const published = (name: string, condition: string) =>
  group(name).find((row) => row.condition === condition)?.published;

Deno.test("heldOut() asks everything that no fit saw and nothing that one did", () => {
  const counts = HELD_OUT_GROUPS.map((name) => group(name).length);
  // S8 and S6 at T = 0.1; 16 rows of the sweep less two at T = 0 and two of S8; 16 + 5 + 1 flips and majorities; S7; S3.
  assert.deepEqual(counts, [24, 8, 12, 1, 22, 22, 5, 1]);
  assert.equal(new Set(rows.map(({ group, condition }) => `${group}/${condition}`)).size, 95);
  const slopes = rows.filter((row) => row.group.startsWith("λ̂"));
  assert.ok(slopes.every(({ condition }) => !/T = 0,|mandate/.test(condition)), "no λ̂ of T = 0");
});

Deno.test("heldOut() has the published values", () => {
  const hot = "λ̂ of the scenarios at T = 0.1";
  assert.equal(published(hot, "CL-01, roles on"), 0.0904);
  assert.equal(published(hot, "IM-01 T = 0.1, roles off"), 0.0308);
  assert.equal(published("λ̂ of the models at T = 0.1", "IM-01 Claude Sonnet 4.6, roles off"), -0.0079);
  assert.equal(published("λ̂ at other temperatures", "IM-01 T = 1e-4, roles on"), 0.04);
  assert.equal(published("λ̂ across wordings", "IM-01 with roles, 6 wordings"), 0.03);
  assert.equal(published("flip rate", "IM-01 T = 0, roles on"), 0.45);
  assert.equal(published("flip rate", "IM-01 without Rights's mandate"), 0.5);
  assert.equal(published("median time to majority, rounds", "IM-01 without Chair's mandate"), 16);
  assert.equal(published("switches a run", "IM-01 with roles, Chair"), 2.76);
  assert.equal(published("branching entropy Γ̂", "IM-01 with roles, T = 0.7"), 0.054);
});

Deno.test("a held-out λ̂ is the mean of ensembles of its own seeds, with their prediction interval", async () => {
  const { name, lambda, spec } = (await landscapeTargets(0.1)).get("SP-03")![1]!;
  const draws = [0, 1].map((e) => simulatedLambda(spec, parameters, createRng(3).fork(name).fork(e).key, 20));
  const { mean: measured, low, high } = predictionInterval(draws);
  const row = rows.find(({ condition, group }) => condition === name && group.startsWith("λ̂"))!;
  const { verdict, ...found } = row;
  assert.deepEqual(found, { group: row.group, condition: name, published: lambda, measured, low, high });
  assert.equal(verdict, lambda < low! ? "published below" : lambda > high! ? "published above" : "inside");
});

Deno.test("heldOut() tells how far it is, and keeps what cannot be negative above zero", () => {
  assert.equal(told.length, 52);
  assert.equal(told.at(-1), 1);
  assert.ok(rows.filter((row) => !row.group.startsWith("λ̂")).every(({ low }) => low! >= 0));
  assert.ok(rows.some(({ low }) => low! < 0), "slopes can be negative");
});

Deno.test("heldOutSummary() by hand", () => {
  const row = (published: number, measured: number | undefined, verdict: HeldOutRow["verdict"]): HeldOutRow => ({
    ...{ group: "flip rate", condition: "", published, verdict },
    ...(measured !== undefined && { measured }),
  });
  const three = [row(1, 2, "inside"), row(2, 4, "published below"), row(3, 3, "inside")];
  const { rmse, ...rest } = heldOutSummary([...three, row(9, undefined, "no interval")]);
  // Errors 1, 2 and 0; ranks 1 2 3 against 1 3 2: 1 − 6 · 2 / (3 · 8).
  assert.ok(Math.abs(rmse! - Math.sqrt(5 / 3)) < 1e-12);
  assert.equal(rest.rankCorrelation?.toFixed(12), "0.500000000000");
  assert.deepEqual([rest.n, rest.inside], [4, 2]);
  assert.deepEqual(heldOutSummary([]), { n: 0, inside: 0 });
});

Deno.test("predictionInterval(): covers one more draw as often as it says, and is honest about too few", () => {
  assert.deepEqual(predictionInterval([]), { n: 0 });
  assert.deepEqual(predictionInterval([undefined, 4]), { n: 1, mean: 4 });
  assert.deepEqual(predictionInterval([2, 2, 2]), { n: 3, mean: 2, low: 2, high: 2 });
  assert.equal(predictionInterval([0, 1], { floor: 0 }).low, 0);
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
