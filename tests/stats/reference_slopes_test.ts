import assert from "node:assert/strict";
import { lyapunovSlope, referenceSlopes } from "@/stats/mod.ts";
import { close } from "./ensembles.ts";

const curve = (D: (t: number) => number) => Array.from({ length: 40 }, (_, t) => D(t + 1));

Deno.test("referenceSlopes() of the paper's window are those that its definition of λ̂ gives", () => {
  const { steady, randomWalk, ballistic } = referenceSlopes();
  // Σ (t − 11.5) ln t / Σ (t − 11.5)² over t = 3…20; the lower sum is n(n² − 1)/12 for n = 18.
  const rounds = Array.from({ length: 18 }, (_, i) => i + 3);
  const byHand = rounds.reduce((sum, t) => sum + (t - 11.5) * Math.log(t), 0) / (18 * (18 ** 2 - 1) / 12);
  assert.ok(close(ballistic, byHand) && close(randomWalk, byHand / 2));
  assert.equal(steady, 0);
  assert.equal(randomWalk.toFixed(4), "0.0509");
});

for (const window of [{ from: 3, to: 20 }, { from: 1, to: 10 }, { from: 5, to: 40 }]) {
  Deno.test(`referenceSlopes() are the slopes of √t, t and a pulled-back walk over ${window.from}-${window.to}`, () => {
    const { randomWalk, ballistic, meanReverting } = referenceSlopes({ ...window, reversion: 0.1 });
    assert.ok(close(randomWalk, lyapunovSlope(curve(Math.sqrt), window).lambda!));
    assert.ok(close(ballistic, lyapunovSlope(curve((t) => 5 * t), window).lambda!));
    assert.ok(close(meanReverting, lyapunovSlope(curve((t) => Math.sqrt(1 - Math.exp(-0.2 * t))), window).lambda!));
  });
}

Deno.test("referenceSlopes() of a pulled-back walk lie between the free walk's and zero, and reach both", () => {
  const slope = (reversion: number) => referenceSlopes({ reversion }).meanReverting!;
  const slopes = [1e-9, 0.01, 0.05, 0.2, 1, 30].map(slope);
  assert.deepEqual(slopes, slopes.toSorted((a, b) => b - a));
  assert.ok(close(slopes[0], referenceSlopes().randomWalk, 1e-8) && close(slopes.at(-1), 0));
});

Deno.test("referenceSlopes() says what is wrong", () => {
  assert.throws(() => referenceSlopes({ reversion: 0 }), /^RangeError: reversion is 0: must be a positive rate/);
  assert.throws(() => referenceSlopes({ reversion: Infinity }), /^RangeError: reversion is Infinity/);
  assert.throws(() => referenceSlopes({ from: 3, to: 4 }), /^RangeError: rounds 3 to 4 are 2: a slope needs/);
  assert.throws(() => referenceSlopes({ from: 0 }), /^RangeError: from is 0/);
});
