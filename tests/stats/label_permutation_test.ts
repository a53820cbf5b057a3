import assert from "node:assert/strict";
import { createRng, type Rng } from "@/core/rng.ts";
import { labelSplits } from "@/stats/label_permutation.ts";
import { labelPermutation, slopeDifference, type Trajectory } from "@/stats/mod.ts";
import { close, growing, proportional, walkers } from "./ensembles.ts";

const rng = createRng(2);

Deno.test("labelPermutation() takes all 20 relabellings of three and three, and 2 of them are as uneven as the own", () => {
  const test = labelPermutation(proportional([1, 2, 4], 0.2), proportional([1, 3, 4], 0), { rng });
  assert.ok(close(test.delta, 0.2));
  assert.equal(test.draws.length, 20);
  assert.ok(test.exact);
  assert.equal(test.plainP, 2 / 20);
});

Deno.test("labelPermutation() agrees with all 20 relabellings done one by one", () => {
  const runs = walkers(rng.fork("one by one"), { replicates: 6 });
  const lambda = (a: readonly Trajectory[], b: readonly Trajectory[]) => slopeDifference(a, b, { rng }).delta!;
  const choices = [0, 1, 2, 3, 4, 5].flatMap((i) =>
    [0, 1, 2, 3, 4, 5].flatMap((j) => [0, 1, 2, 3, 4, 5].filter((k) => i < j && j < k).map((k) => [i, j, k]))
  );
  const all = choices.map((chosen) => lambda(chosen.map((i) => runs[i]!), runs.filter((_, i) => !chosen.includes(i))));
  const { draws, delta, plainP } = labelPermutation(runs.slice(0, 3), runs.slice(3), { rng });
  assert.equal(all.length, 20);
  all.forEach((value, i) => assert.ok(close(draws[i], value, 1e-12)));
  const large = all.filter((value) => Math.abs(value) >= Math.abs(delta!) - 1e-12).length;
  assert.equal(plainP, large / 20);
});

Deno.test("labelPermutation() shuffles where there are more relabellings than asked for, and counts the own once", () => {
  const [a, b] = [proportional([1, 2, 4, 5, 7], 0.3), proportional([1, 3, 4, 6, 8], 0)];
  const test = labelPermutation(a, b, { rng, permutations: 100 });
  assert.ok(!test.exact);
  assert.equal(test.draws.length + test.undefinedDraws, 100);
  assert.ok(test.p! >= 1 / 101 && test.plainP! < 0.05);
  assert.ok(close(test.p! * 101, Math.round(test.p! * 101), 1e-9), "a whole number of 101");
  assert.deepEqual(labelPermutation(a, b, { rng, permutations: 100 }), test, "the stream is forked, not advanced");
});

/** Share of ensembles whose p is at most 0.05. */
function rejections(
  make: (rng: Rng) => [readonly Trajectory[], readonly Trajectory[]],
  of: "p" | "plainP",
  ensembles = 400,
): number {
  const found = Array.from({ length: ensembles }, (_, i) => {
    const stream = rng.fork(`size ${i}`);
    return labelPermutation(...make(stream), { rng: stream, permutations: 99 })[of]! <= 0.05;
  });
  return found.filter(Boolean).length / ensembles;
}

for (const which of ["p", "plainP"] as const) {
  Deno.test(`labelPermutation() rejects exchangeable runs in 5 % of ensembles, groups of 6 and 9, by ${which}`, () => {
    const size = rejections((r) => [walkers(r, { replicates: 6 }), walkers(r, { replicates: 9 })], which);
    // Three standard errors of a share of 0.05 among 400.
    assert.ok(Math.abs(size - 0.05) < 3 * Math.sqrt(0.05 * 0.95 / 400), `${size}`);
  });
}

Deno.test("labelPermutation() finds a difference of 0.06 nats per round most of the time", () => {
  const power = rejections((r) => [growing(r, 0.1, { replicates: 10 }), growing(r, 0.04, { replicates: 10 })], "p", 60);
  assert.ok(power > 0.8, `${power}`);
});

Deno.test("labelPermutation() keeps its level where slopes are the same and only the distances differ", () => {
  const far = (r: Rng) => growing(r, 0.05, { replicates: 12 }).map((run) => run.map((x) => x.map((v) => 9 * v)));
  const size = rejections((r) => [far(r.fork("far")), growing(r, 0.05, { replicates: 12 })], "p", 150);
  assert.ok(size < 0.05 + 3 * Math.sqrt(0.05 * 0.95 / 150), `${size}`);
});

Deno.test("labelPermutation() does not mind which group comes first", () => {
  const [a, b] = [growing(rng, 0.08, { replicates: 4 }), growing(rng.fork("b"), 0.02, { replicates: 5 })];
  const [one, other] = [labelPermutation(a, b, { rng }), labelPermutation(b, a, { rng })];
  assert.ok(close(one.delta, -other.delta!));
  assert.deepEqual([one.p, one.plainP, one.exact], [other.p, other.plainP, true]);
});

Deno.test("fault 44: labelPermutation() of runs that never move gives p = 1: the ties are ties", () => {
  const frozen = (places: number[]) => proportional(places, 0);
  const { delta, p, plainP } = labelPermutation(frozen([0, 1, 3, 4]), frozen([0, 2, 5, 9]), { rng });
  assert.ok(close(delta, 0));
  assert.deepEqual([p, plainP], [1, 1]);
});

Deno.test("labelPermutation() of runs that all grow alike gives p = 1: rounding does not order them", () => {
  const alike = (places: number[]) => proportional(places, 0.1);
  for (const more of [[0.3, 1.7, 4.1], [0.2, 2.9, 3.3, 8.4], [0.11, 0.13, 5.7, 9.9]]) {
    const { p, plainP } = labelPermutation(alike([0.1, 1.1, 2.3, 7.7]), alike(more), { rng });
    assert.deepEqual([p, plainP], [1, 1]);
  }
});

Deno.test("labelPermutation() of a group and its copy in another order gives p = 1: no difference is as small", () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const runs = walkers(createRng(seed), { replicates: 4 });
    const { delta, p, plainP } = labelPermutation(runs, runs.toReversed(), { rng });
    assert.ok(close(delta, 0));
    assert.deepEqual([p, plainP], [1, 1]);
  }
});

Deno.test("labelPermutation() counts relabellings without a slope as large", () => {
  // Two runs of each group are one run: relabellings that bring both pairs' twins together have no slope.
  const [x, y, z] = proportional([1, 2, 5], 0.1);
  const { undefinedDraws, draws, plainP, reason } = labelPermutation([x!, y!], [x!, y!, x!].with(2, z!), { rng });
  assert.equal(undefinedDraws, 2, "{x, x} and {y, y} in the group of two");
  assert.equal(draws.length, 8);
  assert.equal(plainP, 1);
  assert.equal(reason, "too-few-replicates");
});

Deno.test("labelPermutation() without an estimate says why", () => {
  const moving = proportional([0, 1, 3], 0.05);
  assert.equal(labelPermutation(moving, proportional([1, 1], 0.1), { rng }).reason, "no-divergence");
  assert.equal(labelPermutation(moving, moving.slice(0, 1), { rng }).reason, "too-few-replicates");
  const meeting = moving.map((run) => run.with(9, [0, 0]));
  const { delta, p, plainP, reason } = labelPermutation(moving, meeting, { rng });
  assert.ok(delta !== undefined);
  assert.deepEqual([p, plainP, reason], [undefined, undefined, "missing-rounds"]);
});

Deno.test("labelPermutation() refuses groups that cannot be pooled, and a count of none", () => {
  const three = walkers(rng, { replicates: 3 }), four = walkers(rng, { replicates: 3, options: 4 });
  assert.throws(() => labelPermutation(three, four, { rng }), {
    name: "RangeError",
    message: /^a and b\[3\], round 1 has 4/,
  });
  assert.throws(() => labelPermutation(three, three, { rng, permutations: 0 }), { name: "RangeError" });
});

const splitRng = createRng(4);

/** The rows of labels as texts, such as `1100`. */
function rowsOf(total: number, size: number, most: number): { rows: string[]; exact: boolean } {
  const { rows, exact } = labelSplits(total, size, { rng: splitRng, most });
  const texts = Array.from({ length: rows.length / total }, (_, i) => rows.slice(i * total, (i + 1) * total).join(""));
  return { rows: texts, exact };
}

Deno.test("labelSplits() gives every way in order where there are few enough", () => {
  assert.deepEqual(rowsOf(4, 2, 6), { rows: ["1100", "1010", "1001", "0110", "0101", "0011"], exact: true });
  assert.deepEqual(rowsOf(3, 1, 9), { rows: ["100", "010", "001"], exact: true });
  assert.equal(new Set(rowsOf(9, 4, 200).rows).size, 126, "9! / (4! 5!)");
});

Deno.test("labelSplits() draws them all alike often where there are too many", () => {
  const { rows, exact } = rowsOf(5, 2, 9);
  assert.deepEqual([rows.length, exact], [9, false]);
  const drawn = labelSplits(6, 2, { rng: splitRng, most: 14 });
  assert.ok(!drawn.exact, "15 ways");
  const counts = new Map<string, number>();
  for (let i = 0; i < 1000; i++) {
    const { rows } = labelSplits(5, 3, { rng: splitRng.fork(i), most: 9 });
    for (let row = 0; row < 9; row++) {
      const text = rows.slice(5 * row, 5 * row + 5).join("");
      assert.equal(text.replaceAll("0", ""), "111");
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  assert.equal(counts.size, 10);
  // 900 each; five standard deviations are 142.
  for (const count of counts.values()) assert.ok(Math.abs(count - 900) < 142, `${count}`);
});

Deno.test("labelSplits() knows that two hundred runs have more ways than can be counted", () => {
  assert.equal(labelSplits(2000, 1000, { rng: splitRng, most: 3 }).exact, false);
});
