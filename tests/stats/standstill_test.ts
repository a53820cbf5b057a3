import assert from "node:assert/strict";
import { standstill } from "@/stats/standstill.ts";

const over = (rounds: number, of: (t: number) => number) => Array.from({ length: rounds }, (_, i) => of(i + 1));

for (
  const [what, of] of [
    ["exponential growth", (t: number) => 0.01 * Math.exp(0.05 * t)],
    ["a random walk", (t: number) => 0.1 * Math.sqrt(t)],
    ["drift at constant speed", (t: number) => 0.02 * t],
    ["distances that shrink", (t: number) => Math.exp(-0.1 * t)],
  ] as const
) {
  for (const [from, to] of [[3, 20], [1, 6], [3, 40]] as const) {
    Deno.test(`standstill(): ${what} never stands still over rounds ${from} to ${to}`, () => {
      assert.equal(standstill(over(40, of), { from, to }), undefined);
    });
  }
}

Deno.test("standstill(): growth to a ceiling stands still from the ceiling on, and falling to a floor from the floor on", () => {
  const rise = over(20, (t) => Math.exp(Math.min(t, 9) / 10)), fall = rise.map((d) => 1 / d);
  assert.deepEqual([rise, fall].map((D) => standstill(D)), [9, 9]);
  // ln D ranges over 0.6 in rounds 3-20, so it may move by 0.06: round 8 is 0.1 below the ceiling.
  const nearly = rise.map((d, t) => t === 7 ? d * Math.exp(0.05) : d);
  assert.equal(standstill(nearly), 8);
});

Deno.test("standstill(): a plateau shorter than a third of the window, or left again, is none", () => {
  const short = over(20, (t) => Math.exp(Math.min(t, 17) / 10)), left = over(20, (t) => t < 19 ? Math.min(t, 8) : 16);
  assert.deepEqual([short, left].map((D) => standstill(D)), [undefined, undefined]);
  // ln D ranges over 1.3, so it may move by 0.13: round 15 is 0.1 below the ceiling, and six rounds are a third.
  assert.equal(standstill(over(20, (t) => Math.exp(Math.min(t, 16) / 10))), 15);
});

Deno.test("standstill(): constant distances stand still from the first round, rounds of no distance are left out", () => {
  assert.equal(standstill(over(20, () => 0.5)), 3);
  assert.equal(standstill(over(20, (t) => t % 2 ? 0 : 0.5)), 4);
  assert.equal(standstill(over(20, () => 0)), undefined);
  assert.equal(standstill(over(5, () => 0.5), { from: 1, to: 5 }), undefined, "too few rounds to tell");
});

Deno.test("standstill() refuses a window outside the data, and what is no distance", () => {
  assert.throws(() => standstill([1, 2]), { name: "RangeError", message: /to is 20, beyond the last round, 2/ });
  assert.throws(() => standstill(over(20, () => -1)), { name: "RangeError" });
});
