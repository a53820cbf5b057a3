import assert from "node:assert/strict";
import { outcomeClusters } from "@/runs/branching.ts";
import type { BranchRuns } from "@/runs/run_experiment.ts";

/** Shares one round with the others, then goes straight to `end`. */
const run = (decision: string | undefined, ...end: number[]) => ({ decision, means: [[0.5, 0.5], [0.5, 0.5], end] });
const branch = (base: number, ...runs: object[]) => ({ base, runs }) as unknown as BranchRuns;

Deno.test("continuations of one base are clustered by their end, alike within and at right angles across", () => {
  const branches = [branch(3, run("B", 0, 1), run("A", 1, 0), run("B", 0, 1), run("A", 1, 0))];
  const expected = { base: 3, n: 2, cosIn: 1, cosOut: 0 };
  assert.deepEqual(outcomeClusters(branches, 2), [{ ...expected, option: "A" }, { ...expected, option: "B" }]);
});

Deno.test("the round that is shared is left out, and so are other base states", () => {
  const [first] = outcomeClusters([branch(0, run("A", 1, 0), run("A", 0, 1)), branch(1, run("A", 1, 0))], 2);
  assert.deepEqual(first, { base: 0, option: "A", n: 2, cosIn: 0 });
});

Deno.test("one run has no likeness; runs without a decision stand last and apart", () => {
  assert.deepEqual(outcomeClusters([branch(0, run(undefined, 1, 0), run("C", 0, 1))], 2), [
    { base: 0, option: "C", n: 1 },
    { base: 0, option: undefined, n: 1 },
  ]);
});
