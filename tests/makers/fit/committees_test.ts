import assert from "node:assert/strict";
import { parameters } from "../../model/surrogate/parameters.ts";
import { createRng } from "@/core/rng.ts";
import { seatCommittee, simulateRun } from "@/lab/paper/surrogate/simulate_condition.ts";
import { committeeSpec, conditionFacts, oneModel, simulatedLambda, simulatedRuns } from "./committees.ts";

const im01 = committeeSpec("IM-01", 3, oneModel(parameters.models.reference), { roles: true, temperature: 0.7 });

Deno.test("simulatedRuns() gives a committee's runs, each by its own stream, and simulatedLambda() their λ̂", () => {
  const runs = simulatedRuns(im01, parameters, createRng(3), 8);
  const committee = seatCommittee(im01, parameters);
  assert.deepEqual(runs, Array.from({ length: 8 }, (_, i) => simulateRun(committee, createRng(3).fork(i))));
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
