import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { divergence } from "@/stats/mod.ts";
import { completeRuns } from "@/stats/trajectory.ts";
import { walkers } from "./ensembles.ts";

Deno.test("completeRuns() leaves out broken runs and lists each with its cause", () => {
  const runs = walkers(createRng(1), { replicates: 5 });
  const broken = [
    runs[0]!,
    runs[1]!.slice(0, 13),
    runs[2]!,
    runs[3]!.map((state, t) => (t === 4 ? [0.5, NaN, 0.5] : state)),
    [],
  ];
  const { complete, excluded } = completeRuns(broken);
  assert.deepEqual(complete, [runs[0], runs[2]]);
  assert.deepEqual(excluded, [
    { run: 1, cause: "round 14 is missing" },
    { run: 3, cause: "round 5, option 2 is NaN" },
    { run: 4, cause: "round 1 is missing" },
  ]);
  assert.throws(() => divergence(broken), RangeError);
  assert.equal(divergence(complete).length, 20);
});

Deno.test("completeRuns() holds runs to the number of rounds asked for", () => {
  const runs = [[[1], [2]], [[1], [2], [3]]];
  assert.deepEqual(completeRuns(runs, { rounds: 2 }).excluded, [{ run: 1, cause: "has 3 rounds, more than 2" }]);
  assert.deepEqual(completeRuns([]), { complete: [], excluded: [] });
});
