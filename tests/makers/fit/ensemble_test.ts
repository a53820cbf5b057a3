import assert from "node:assert/strict";
import { committeeMean } from "@/core/numbers.ts";
import { createRng } from "@/core/rng.ts";
import {
  ballotDecision,
  type CommitteeSpec,
  runSize,
  seatCommittee,
} from "@/lab/paper/surrogate/simulate_condition.ts";
import { committeeSpec, oneModel } from "./committees.ts";
import { conditionFacts } from "./committees.ts";
import { divergence } from "@/stats/divergence.ts";
import { parameters } from "../../model/surrogate/parameters.ts";
import { lyapunovSlope } from "@/stats/lyapunov_slope.ts";
import {
  committeeSums,
  drawRuns,
  ensembleDivergence,
  ensembleFacts,
  groupedMedian,
  largestLeaveOneOut,
  meanLambda,
  runEnsemble,
} from "./ensemble.ts";

const models = oneModel(parameters.models.reference);
const SPECS: readonly CommitteeSpec[] = [
  committeeSpec("IM-01", 3, models, { roles: true, temperature: 0.7 }),
  committeeSpec("HL-01", 3, models, { roles: true, ablated: "Chair" }),
  committeeSpec("HL-01", 3, oneModel("some/model"), { roles: false, window: 3 }),
];
const noiseShare = 0.45;

for (const [i, spec] of SPECS.entries()) {
  const committee = seatCommittee(spec, parameters);
  const draws = drawRuns(spec, { runs: 12, noiseShare, rng: createRng(i) });
  const rows = runEnsemble(committee, draws);
  const run = (r: number) =>
    Array.from(
      { length: 20 },
      (_, t) =>
        Array.from({ length: 5 }, (_, seat) =>
          Array.from(rows.subarray(((r * 20 + t) * 5 + seat) * 3).slice(0, 3), (h) => h / 100)),
    );
  const runs = Array.from({ length: 12 }, (_, r) => {
    const preferences = run(r);
    return { preferences, means: preferences.map(committeeMean), decision: ballotDecision(preferences.at(-1)!) };
  });

  Deno.test(`an ensemble's facts are those that the project's estimators find in its runs: committee ${i}`, () => {
    const expected = conditionFacts(runs), facts = ensembleFacts(committee, rows);
    const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);
    near(facts.lambda!, expected.lambda!);
    near(facts.flip, expected.flip);
    facts.switches.forEach((count, seat) => near(count, expected.switches[seat]!));
    // A grouped median rounds to the median, which may itself stand between two rounds.
    assert.ok(Math.abs(facts.majority - expected.majority) <= 0.5);
    facts.outcomes.forEach((share, k) => near(share, runs.filter(({ decision }) => decision === "ABC"[k]).length / 12));
    const distances = divergence(runs.map(({ means }) => means));
    ensembleDivergence(committee, committeeSums(committee, rows)).forEach((d, t) => near(d, distances[t]!));
  });
}

Deno.test("meanLambda() and largestLeaveOneOut() are what the estimators find in parts of an ensemble", () => {
  const spec = SPECS[0]!, committee = seatCommittee(spec, parameters);
  const rows = runEnsemble(committee, drawRuns(spec, { runs: 13, noiseShare, rng: createRng(7) }));
  const means = Array.from(
    { length: 13 },
    (_, r) =>
      Array.from(
        { length: 20 },
        (_, t) =>
          committeeMean(Array.from({ length: 5 }, (_, seat) =>
            Array.from(rows.subarray(((r * 20 + t) * 5 + seat) * 3).slice(0, 3), (h) =>
              h / 100))),
      ),
  );
  const slopeOf = (runs: typeof means) => lyapunovSlope(divergence(runs)).lambda!;
  // Two parts of six runs; the thirteenth belongs to none.
  const parts = [means.slice(0, 6), means.slice(6, 12)];
  const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);
  near(meanLambda(committee, rows, 6), (slopeOf(parts[0]!) + slopeOf(parts[1]!)) / 2);
  const [first, second] = parts.map((part) =>
    Math.max(...part.map((_, i) => Math.abs(slopeOf(part.toSpliced(i, 1)) - slopeOf(part))))
  );
  near(largestLeaveOneOut(committee, committeeSums(committee, rows), 6), (first! + second!) / 2);
});

Deno.test("equal draws give equal runs, and a run depends on its own draws alone", () => {
  const [spec] = SPECS, size = runSize(spec!);
  assert.equal(size, 300);
  const committee = seatCommittee(spec!, parameters);
  const draws = drawRuns(spec!, { runs: 3, noiseShare, rng: createRng(1) });
  const rows = runEnsemble(committee, draws);
  assert.deepEqual(runEnsemble(committee, draws), rows);
  assert.deepEqual(runEnsemble(committee, draws.slice(size, 2 * size)), rows.slice(size, 2 * size));
  assert.notDeepEqual(rows.slice(0, size), rows.slice(size, 2 * size));
});

Deno.test("drawRuns(): whole calls are quiet, in the share asked for", () => {
  const draws = drawRuns(SPECS[0]!, { runs: 40, noiseShare, rng: createRng(1) });
  const calls = Array.from({ length: draws.length / 3 }, (_, call) => draws.slice(3 * call, 3 * call + 3));
  const quiet = calls.filter((call) => call.every((z) => z === 0)).length;
  assert.equal(quiet, calls.filter((call) => call.some((z) => z === 0)).length);
  // 4000 calls: four standard errors of the share are 0.031.
  assert.ok(Math.abs(quiet / calls.length - 0.55) < 0.031);
});

Deno.test("groupedMedian() by hand", () => {
  assert.equal(groupedMedian([3]), 3);
  assert.equal(groupedMedian([1, 1, 1, 1]), 1);
  // Half of five is 2.5: one below 2, so 1.5 of the three at 2 are passed.
  assert.equal(groupedMedian([1, 2, 2, 2, 9]), 2);
  // Half of four is 2: one below 2, so 1 of the two at 2.
  assert.equal(groupedMedian([2, 1, 4, 2]), 2);
  // Half of four is 2: none below 2, so 2 of the three at 2 are passed, two thirds of the way from 1.5 to 2.5.
  assert.ok(Math.abs(groupedMedian([2, 2, 2, 7]) - (1.5 + 2 / 3)) < 1e-12);
});
