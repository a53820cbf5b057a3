import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { branchExcess } from "@/stats/branch_excess.ts";
import { close, walkers } from "./ensembles.ts";

const rng = createRng(5);

Deno.test("branchExcess() by hand: between less within, by round", () => {
  // Round 1: all together. Round 2: 0 and 2 against 5 and 9; between (5 + 9 + 3 + 7)/4 = 6, within 2 and 4.
  const same = [[[0], [0]], [[0], [2]]], changed = [[[0], [5]], [[0], [9]]];
  const { byRound, excess } = branchExcess([{ same, changed }], { rng });
  assert.deepEqual(byRound, [0, 3]);
  assert.equal(excess, 1.5);
});

Deno.test("branchExcess() finds a shift, and finds none where there is none in about 95 of 100 studies", () => {
  const study = (i: number, shift: number) =>
    branchExcess(
      [0, 1, 2].map((base) => {
        const all = walkers(rng.fork(`${i}/${base}`), { replicates: 10, rounds: 4 });
        return {
          same: all.slice(5),
          changed: all.slice(0, 5).map((run) => run.map(([a, ...rest]) => [a! + shift, ...rest])),
        };
      }),
      { rng: rng.fork(i), permutations: 99 },
    );
  const none = Array.from({ length: 200 }, (_, i) => study(i, 0));
  const rejected = none.filter(({ p }) => p <= 0.05).length;
  assert.ok(rejected >= 3 && rejected <= 19, `${rejected} of 200`);
  const average = none.reduce((sum, { excess }) => sum + excess / 200, 0);
  assert.ok(Math.abs(average) < 0.004, `unbiased: ${average}`);
  assert.ok(study(0, 0.5).p <= 0.02);
  assert.ok(close(study(0, 0.5).excess, study(0, 0.5).excess, 0), "the same stream gives the same answer");
});

Deno.test("branchExcess() names a group that is too small", () => {
  const run = [[0], [1]];
  assert.throws(
    () => branchExcess([{ same: [run], changed: [run, run] }], { rng }),
    /runs holds 1: a distance needs at least 2 replicates/,
  );
  assert.throws(() => branchExcess([], { rng }), /pairs is empty/);
});

Deno.test("branchExcess() refuses continuations of different lengths, in a pair and between pairs", () => {
  const [two, three] = [[[0], [1]], [[0], [1], [2]]];
  const even = (run: number[][]) => ({ same: [run, run], changed: [run, run] });
  const message = /^RangeError: continuations\[\d\] ends at round 2, others at round 3/;
  assert.throws(() => branchExcess([{ same: [two, two], changed: [three, three] }], { rng }), message);
  assert.throws(() => branchExcess([{ same: [three, three], changed: [two, two] }], { rng }), message);
  assert.throws(() => branchExcess([even(three), even(two)], { rng }), message);
});
