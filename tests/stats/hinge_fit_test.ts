import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { hingeFit, lyapunovSlope } from "@/stats/mod.ts";
import { close } from "./ensembles.ts";

const hinge = (lambda: number, last: number) =>
  Array.from({ length: 20 }, (_, t) => 0.02 * Math.exp(lambda * Math.min(t + 1, last)));

for (const [lambda, plateauFrom] of [[0.2, 5], [0.2, 12], [0.05, 19], [-0.3, 9]] as const) {
  Deno.test(`hingeFit() recovers ${lambda} nats per round up to round ${plateauFrom}`, () => {
    const fit = hingeFit(hinge(lambda, plateauFrom));
    assert.ok(close(fit.lambda, lambda) && close(fit.r2, 1));
    assert.equal(fit.plateauFrom, plateauFrom);
  });
}

Deno.test("hingeFit() of a straight line has no plateau, and its slope is that of the window", () => {
  for (const lambda of [0.08, -0.08]) {
    const fit = hingeFit(hinge(lambda, 20));
    assert.ok(close(fit.lambda, lambda) && close(fit.r2, 1));
    assert.ok(!("plateauFrom" in fit));
  }
  assert.deepEqual(hingeFit(hinge(0, 20)), { lambda: 0 });
});

Deno.test("hingeFit() does not take rounding for a plateau", () => {
  const D = Array.from({ length: 20 }, (_, t) => (t < 8 ? 0.3 : 0.1 + 0.2)); // differ in the last binary digit
  assert.ok(D[0] !== D[9] && !("plateauFrom" in hingeFit(D)));
});

Deno.test("hingeFit() sees growth that a straight line underrates", () => {
  const D = hinge(0.3, 8);
  assert.ok(lyapunovSlope(D).lambda! < 0.1);
  assert.ok(close(hingeFit(D).lambda, 0.3));
});

Deno.test("hingeFit() has the least squared error of every break", () => {
  const rng = createRng(4);
  const D = hinge(0.1, 11).map((d) => d * Math.exp(0.1 * rng.normal()));
  const { lambda, plateauFrom, r2 } = hingeFit(D);
  const y = D.slice(2).map(Math.log), mean = y.reduce((a, b) => a + b) / y.length;
  const total = y.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  // For given break and slope the best level is a mean; search the slope on a grid, apart from any formula.
  const errorOf = (last: number, slope: number) => {
    const rest = y.map((value, i) => value - slope * Math.min(i + 3, last));
    const level = rest.reduce((a, b) => a + b) / rest.length;
    return rest.reduce((sum, value) => sum + (value - level) ** 2, 0);
  };
  const least = errorOf(plateauFrom!, lambda!);
  assert.ok(close(r2, 1 - least / total));
  for (let last = 5; last <= 20; last++) {
    for (let slope = -0.3; slope < 0.5; slope += 0.005) assert.ok(errorOf(last, slope) >= least - 1e-12);
  }
});

Deno.test("hingeFit() leaves three rounds for growth", () => {
  assert.equal(hingeFit([1, 9, 9, 9, 9], { from: 1, to: 5 }).plateauFrom, 3);
});

Deno.test("hingeFit() without an estimate gives the reason", () => {
  assert.deepEqual(hingeFit([0, 0, 0], { from: 1, to: 3 }), { reason: "no-divergence" });
  assert.deepEqual(hingeFit([1, 0, 2, 3], { from: 1, to: 4 }), { reason: "missing-rounds" });
  assert.deepEqual(hingeFit([1, 2, 3], { from: 1, to: 2 }), { reason: "too-few-rounds" });
  assert.throws(() => hingeFit([1, 2, 3]), /^RangeError: to is 20, beyond the last round, 3/);
  assert.throws(() => hingeFit([1, NaN, 3], { from: 1, to: 3 }), /^RangeError: D is NaN in round 2/);
});
