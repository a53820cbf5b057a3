import assert from "node:assert/strict";
import { parameters } from "../../model/surrogate/parameters.ts";
import { loadRefits, Refits } from "@/paper/surrogate/identifiability.ts";
import { STAGE_ONE_KNOBS } from "@/paper/surrogate/fit.ts";
import { orderDependence } from "@/paper/surrogate/order_dependence.ts";
import { judgeExpected, loadExpectedScores, type ScoreTableRow } from "@/paper/surrogate/score_tables.ts";
import { SPLIT } from "@/paper/surrogate/split.ts";
import { speakingOrder } from "@/runs/load_condition.ts";
import { loadSurrogateParameters } from "@/runs/scenarios.ts";
import { ROLES } from "@/schema/scenario.ts";

const row = (insideWide: number, rmse = 0.02): ScoreTableRow => ({
  ...{ group: "memory", side: "held out", n: 9, inside: 0, insideWide, rmse },
});
const expecting = (insideWide: [number, number], rmse?: number) => ({
  ...{ schema: "expected-scores/1" as const, about: "", variant: "" },
  expected: [{ group: "memory", insideWide, ...(rmse !== undefined && { rmse }) }],
});

Deno.test("judgeExpected(): a count within its range, both ends included, and an error no larger than said", () => {
  const met = (found: ScoreTableRow, ...of: Parameters<typeof expecting>) =>
    judgeExpected(expecting(...of), [found])[0]!.met;
  assert.deepEqual([1, 2, 4, 5].map((count) => met(row(count), [2, 4])), [false, true, true, false]);
  assert.deepEqual([0.02, 0.019].map((most) => met(row(3), [2, 4], most)), [true, false]);
  assert.deepEqual(judgeExpected(expecting([3, 3], 0.02), [row(3)]), [
    { group: "memory", n: 9, expected: "3, error at most 0.02", found: "3, error 0.02", met: true },
  ]);
  assert.throws(() => judgeExpected(expecting([0, 1]), []), /speak of "memory", which is no group/);
});

Deno.test("the expected scores on file speak of every held-out group that has numbers", async () => {
  const groups = (await loadExpectedScores()).expected.map(({ group }) => group);
  const signs = ["memory", "the Chair's ablation elsewhere"];
  assert.deepEqual(groups, [...Object.keys(SPLIT.heldOut).filter((group) => !signs.includes(group)), "all held-out λ̂"]);
});

Deno.test("the refits on file are of every fitted number, and begin with the committed ones", async () => {
  const refits = await loadRefits();
  assert.deepEqual(Refits.parse(refits), refits);
  const parameters = await loadSurrogateParameters();
  assert.deepEqual(refits.parameters.map(({ name }) => name), STAGE_ONE_KNOBS.map(({ name }) => name));
  refits.parameters.forEach(({ values, name }, i) => {
    assert.equal(values.length, refits.losses.length, name);
    assert.equal(values[0], Number(STAGE_ONE_KNOBS[i]!.get(parameters).toPrecision(4)), name);
  });
});

Deno.test("orderDependence(): the project's own order first, then others, the same for the same seed", () => {
  const options = { seed: 1, orders: 3, runs: 10 };
  const rows = orderDependence(parameters, options);
  assert.deepEqual(orderDependence(parameters, options), rows);
  assert.deepEqual(rows.map(({ fitted }) => fitted), [true, false, false, false]);
  assert.equal(rows[0]!.order, speakingOrder("IM-01", 5).map((seat) => ROLES[seat]).join(", "));
  assert.ok(rows.every(({ order }) => order.split(", ").toSorted().join() === ROLES.toSorted().join()));
  assert.equal(new Set(rows.map(({ order }) => order)).size, 4);
});
