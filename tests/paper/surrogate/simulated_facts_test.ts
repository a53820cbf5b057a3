import assert from "node:assert/strict";
import { condition } from "../../deliberation/committee.ts";
import { parameters } from "../../model/surrogate/parameters.ts";
import { createRng } from "@/core/rng.ts";
import { surrogate } from "@/model/surrogate/surrogate.ts";
import { seatCommittee } from "@/paper/surrogate/fast_committee.ts";
import { committeeSpec, oneModel, simulateCommittee } from "@/paper/surrogate/simulate_committee.ts";
import {
  ballotDecision,
  conditionFacts,
  simulatedBranching,
  simulatedLambda,
  simulatedRun,
  simulatedRuns,
} from "@/paper/surrogate/simulated_facts.ts";
import { collectRuns } from "@/runs/collect_runs.ts";
import { branchingEntropy } from "@/stats/branching_entropy.ts";

const im01 = committeeSpec("IM-01", 3, oneModel(parameters.models.reference), { roles: true, temperature: 0.7 });

Deno.test("simulatedRuns() gives a committee's runs, each by its own stream, and simulatedLambda() their λ̂", () => {
  const runs = simulatedRuns(im01, parameters, createRng(3), 8);
  const committee = seatCommittee(im01, parameters);
  assert.deepEqual(runs, Array.from({ length: 8 }, (_, i) => simulatedRun(committee, createRng(3).fork(i))));
  assert.equal(conditionFacts(runs).lambda, simulatedLambda(im01, parameters, 3, 8));
});

Deno.test("simulatedLambda() is a function of its seed, and undefined where runs do not differ", () => {
  const lambda = simulatedLambda(im01, parameters, 1, 10);
  assert.equal(typeof lambda, "number");
  assert.equal(simulatedLambda(im01, parameters, 1, 10), lambda);
  assert.notEqual(simulatedLambda(im01, parameters, 2, 10), lambda);
  const silent = { ...parameters, mechanism: { ...parameters.mechanism, noiseShare: 0 } };
  assert.equal(simulatedLambda(im01, silent, 1, 10), undefined);
});

Deno.test("conditionFacts() by hand", () => {
  const [a, b] = [[0.9, 0.1], [0.2, 0.8]];
  /** Twenty rounds, the last of those given kept up. */
  const run = (given: number[][][], decision: string | undefined) => {
    const preferences = Array.from({ length: 20 }, (_, t) => given[Math.min(t, given.length - 1)]!);
    const means = preferences.map((round) => [0, 1].map((k) => round.reduce((sum, p) => sum + p[k]!, 0) / 3));
    return { preferences, means, decision };
  };
  const still = [[a!, a!, a!]];
  const moved = [[a!, a!, b!], [b!, b!, b!], [b!, a!, b!], [b!, b!, b!]];
  const { lambda, ...facts } = conditionFacts([
    ...[run(still, "A"), run(still, "A")],
    ...[run(moved, "B"), run(moved, undefined)],
  ]);
  // Two of three agree in round 1 of every run; decided A, A, B; in the moved runs seat 1 switches once, seat 2 thrice.
  assert.deepEqual(facts, { flip: 1 / 3, majority: 1, switches: [0.5, 1.5, 0], endings: { A: 2 / 3, B: 1 / 3 } });
  // D is two thirds of its later value in round 3 and constant from 4 to 20: Σ(t − 11.5)² = 484.5.
  assert.ok(Math.abs(lambda! - (3 - 11.5) * Math.log(2 / 3) / 484.5) < 1e-12);
});

Deno.test("conditionFacts() counts a majority that never forms as the round after the last", () => {
  const rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const split = { preferences: Array(20).fill(rows), means: Array(20).fill([1 / 3, 1 / 3, 1 / 3]), decision: "A" };
  const expected = { lambda: undefined, flip: 0, majority: 21, switches: [0, 0, 0], endings: { A: 1 } };
  assert.deepEqual(conditionFacts([split, split]), expected);
});

Deno.test("ballotDecision() is the protocol's", async () => {
  const seen = new Set<string>();
  for (const spec of [{}, { agents: 4 }, { agents: 2, window: 0 }]) {
    const of = await condition({ ...spec, temperature: 0.7 });
    const { runs } = await collectRuns(of, { chat: surrogate(parameters), replicates: 12, seed: 1 });
    for (const { preferences, decision } of runs) {
      assert.equal(ballotDecision(preferences.at(-1)!), decision);
      seen.add(decision!);
    }
  }
  assert.ok(seen.size > 1, "decisions differ between runs");
});

Deno.test("ballotDecision(): most votes, then confidence, then the earlier letter", () => {
  const [a, b, c] = [[0.5, 0.3, 0.2], [0.3, 0.6, 0.1], [0, 0, 1]];
  assert.equal(ballotDecision([a, a, c]), "A", "two votes outweigh certainty");
  assert.equal(ballotDecision([a, b]), "B", "0.6 outweighs 0.5");
  assert.equal(ballotDecision([[0.2, 0.3, 0.5], a]), "A", "even: the earlier letter");
  assert.equal(ballotDecision([[0.5, 0.5, 0], b]), "B", "a tied top option is the first of them");
});

Deno.test("simulatedBranching() parts its continuations after the round and not before", () => {
  const options = { bases: 2, continuations: 4, round: 7 };
  const certificates = simulatedBranching(im01, parameters, 3, options);
  assert.equal(certificates.length, 2);
  for (const { initial, gamma, cosIn, cosOut } of certificates) {
    assert.equal(initial, 0, "every continuation starts at one state");
    assert.ok(gamma > 0 && cosIn! > 0 && cosOut! > 0);
  }
  assert.notEqual(certificates[0]!.gamma, certificates[1]!.gamma);
  assert.deepEqual(simulatedBranching(im01, parameters, 3, options), certificates);
  // By hand for the first: the shared stream serves rounds 1-7, each continuation's own the rest.
  const rng = createRng(3);
  const tails = [0, 1].map((base) =>
    [0, 1, 2, 3].map((branch) => {
      const streams = [rng.fork(base), rng.fork(base).fork(branch)];
      const run = simulateCommittee(seatCommittee(im01, parameters), (round) => streams[round > 7 ? 1 : 0]!);
      return run.slice(6).map((round) => round[0]!.map((_, k) => round.reduce((sum, p) => sum + p[k]!, 0) / 5));
    })
  );
  assert.equal(tails[0]![0]!.length, 14, "x_7 and thirteen rounds");
  assert.deepEqual(certificates[0], branchingEntropy(tails[0]!, { others: tails[1]! }));
});
