import assert from "node:assert/strict";
import { createRng, type Rng } from "@/core/rng.ts";
import { divergence } from "@/stats/divergence.ts";
import { type AgentStates, independentDivergence } from "@/stats/independent_divergence.ts";

const rng = createRng(3);
const window = { from: 1, to: 2 };

/** Runs of agents on one option; `common` is the share of a state that a run's agents have in common. */
const ensemble = (stream: Rng, common: number, runs = 12): AgentStates[] =>
  Array.from({ length: runs }, () => {
    const shared = stream.normal();
    return Array.from({ length: 2 }, () =>
      Array.from({ length: 5 }, () => [common * shared + (1 - common) * stream.normal()]));
  });

Deno.test("independentDivergence(): one seat can be exchanged without a change", () => {
  const runs: AgentStates[] = [0, 1, 4].map((x) => [[[x]], [[2 * x]]]);
  const { D, ratio, p } = independentDivergence(runs, { rng, draws: 50, ...window });
  const own = divergence(runs.map((run) => run.map(([state]) => state!)));
  D!.forEach((d, t) => assert.ok(Math.abs(d - own[t]!) < 1e-12));
  assert.ok(Math.abs(ratio! - 1) < 1e-12);
  assert.equal(p, 1);
});

Deno.test("independentDivergence(): independent agents give 1 and seldom a small p, agents that agree more", () => {
  const found = Array.from(
    { length: 40 },
    (_, i) => independentDivergence(ensemble(createRng(i), 0), { rng, draws: 99, ...window }),
  );
  const mean = found.reduce((sum, { ratio }) => sum + ratio!, 0) / 40;
  assert.ok(Math.abs(mean - 1) < 0.06, `${mean}`);
  // Under H0 the number of 40 with p ≤ .05 is binomial: more than 6 has probability .003.
  assert.ok(found.filter(({ p }) => p! <= 0.05).length <= 6);
  const together = independentDivergence(ensemble(createRng(1), 1), { rng, draws: 99, ...window });
  // Five agents that agree spread √5 times as far as five independent ones.
  assert.ok(Math.abs(together.ratio! / Math.sqrt(5) - 1) < 0.25, `${together.ratio}`);
  assert.equal(together.p, 0.01);
});

Deno.test("independentDivergence(): an agent without a state is left out of the mean and moves with its gap", () => {
  const runs: AgentStates[] = [[[[0], undefined]], [[[4], [2]]]];
  const { D } = independentDivergence(runs, { rng, draws: 2000, from: 1, to: 1 });
  // Dealt together: means 0 and 3. Exchanged: 0 with 2 gives 1, 4 alone gives 4; either way 3 apart.
  assert.ok(Math.abs(D![0]! - 3) < 1e-12);
  const silent: AgentStates[] = [[[undefined]], [[[1]]]];
  assert.deepEqual(independentDivergence(silent, { rng, draws: 5, from: 1, to: 1 }).D, [1]);
});

Deno.test("independentDivergence(): equal streams give equal answers; bad shapes are named", () => {
  const runs = ensemble(createRng(5), 0.5);
  assert.deepEqual(
    independentDivergence(runs, { rng: createRng(1), ...window }),
    independentDivergence(runs, { rng: createRng(1), ...window }),
  );
  assert.deepEqual(independentDivergence([], { rng }), { reason: "too-few-replicates" });
  const same: AgentStates[] = [[[[1]]], [[[1]]]];
  assert.equal(independentDivergence(same, { rng, from: 1, to: 1 }).reason, "no-divergence");
  const call = (states: AgentStates[]) => () => independentDivergence(states, { rng, from: 1, to: 1 });
  assert.throws(call([[[[1]]], [[[1], [2]]]]), /^RangeError: states\[1\], round 1 has 2 seats, the first run 1/);
  assert.throws(call([[[[1]]], [[[NaN]]]]), /^RangeError: states\[1\], round 1, seat 1, option 1 is NaN/);
  assert.throws(call([[[[1]]], [[[1, 2]]]]), /^RangeError: states\[1\], round 1, seat 1 has 2 options, others 1/);
});
