import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { answeredRuns, answerRows, collectRuns } from "@/lab/runs/mod.ts";
import { accuracy, brierScore, questionBootstrap } from "@/stats/mod.ts";
import { council } from "./councils.ts";

const questions = ["QE-01", "QE-02", "QL-01", "QL-02"];
const conditions = await Promise.all(questions.map(async (scenario) => ({
  ...await collectRuns(await loadCondition({ scenario, agents: 3, rounds: 2 }), {
    ...{ council: council(), replicates: 3, seed: 1 },
  }),
  label: scenario,
})));
const LETTERS = "ABCDEFGH";

Deno.test("answeredRuns() takes shares, confidences, decision and answer as they stand in each run's own turns", () => {
  const runs = answeredRuns(conditions);
  const all = conditions.flatMap(({ condition, runs }) => runs.map((run) => ({ condition, run })));
  assert.equal(runs.length, all.length);
  for (const [i, { condition, run }] of all.entries()) {
    const found = runs[i]!;
    assert.equal(LETTERS[found.answer!], condition.packet.answer);
    assert.equal(found.decision === undefined ? undefined : LETTERS[found.decision], run.decision);
    for (const { round, seat, state } of run.state.turns) {
      assert.equal(found.confidence![round - 1]![seat], state.confidence);
      assert.deepEqual(found.agents[round - 1]![seat], state.preferences);
    }
  }
});

Deno.test("the measures of these runs are the counts of the rows", () => {
  const rows = answerRows(conditions), runs = answeredRuns(conditions);
  const share = (some: readonly { right?: boolean; decidedRight?: boolean }[], of: "right" | "decidedRight") =>
    some.filter((row) => row[of]).length / some.length;
  const { byRound, decision } = accuracy(runs);
  const last = rows.filter(({ round }) => round === 2);
  assert.deepEqual(byRound, [1, 2].map((round) => share(rows.filter((row) => row.round === round), "right")));
  assert.equal(decision, share(last, "decidedRight"));
  for (const { share } of rows) assert.ok(share >= 0 && share <= 1);
  assert.ok(brierScore(runs).score! >= 0);
  const { estimate, questions: counted } = questionBootstrap(runs, (some) => accuracy(some).decision, {
    ...{ rng: createRng(1), resamples: 200 },
  });
  assert.equal(estimate, decision);
  assert.equal(counted, questions.length);
});

Deno.test("rows give a mean that is tied but for rounding to the lowest option, in whatever order the seats stand", () => {
  // A and B have 0.1, 0.4 and 0.7 of the three seats, in two orders.
  const { condition, runs: [run] } = conditions[0]!, K = condition.packet.options.length;
  const shares = [[0.1, 0.7], [0.4, 0.4], [0.7, 0.1]].map((pair) => [...pair, ...Array(K - 2).fill(0.2 / (K - 2))]);
  for (const agents of [shares, shares.toReversed()]) {
    const right = (["A", "B"] as const).map((answer) => {
      const packet = { ...condition.packet, answer };
      const one = {
        ...conditions[0]!,
        condition: { ...condition, packet },
        runs: [{ ...run!, preferences: [agents] }],
      };
      return answerRows([one])[0]!.right;
    });
    assert.deepEqual(right, [true, false]);
  }
});

Deno.test("a packet without an answer has no rows, and its runs are counted as left out", async () => {
  const policy = await loadCondition({ scenario: "HL-01", agents: 2, rounds: 2 });
  const runs = { ...await collectRuns(policy, { council: council(), replicates: 2, seed: 1 }), label: "HL-01" };
  assert.deepEqual(answerRows([runs]), []);
  assert.equal(accuracy([...answeredRuns([runs]), ...answeredRuns(conditions)]).leftOut, runs.runs.length);
});
