import fc from "fast-check";
import assert from "node:assert/strict";
import { lyapunovSlope } from "@/stats/mod.ts";
import { close } from "./ensembles.ts";

const curve = (f: (round: number) => number, rounds = 20) => Array.from({ length: rounds }, (_, t) => f(t + 1));

for (const lambda of [0.0838, 0, -0.2]) {
  Deno.test(`lyapunovSlope() recovers ${lambda} nats per round`, () => {
    const fit = lyapunovSlope(curve((t) => 0.01 * Math.exp(lambda * t)));
    assert.ok(close(fit.lambda, lambda) && close(fit.intercept, Math.log(0.01)));
    assert.deepEqual(fit.used, [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    assert.deepEqual(fit.dropped, []);
    assert.equal(fit.reason, undefined);
    if (lambda !== 0) assert.ok(close(fit.r2, 1));
  });
}

Deno.test("lyapunovSlope() of a constant is exactly zero, and no share of its variance is explained", () => {
  for (const constant of [0.1, 1 / 3, 1e-10]) {
    const fit = lyapunovSlope(curve(() => constant));
    assert.equal(fit.lambda, 0);
    assert.ok(close(fit.intercept, Math.log(constant)));
    assert.ok(!("r2" in fit));
  }
});

Deno.test("lyapunovSlope() of a random walk is 0.0509 and of straight drift 0.1018, neither being exponential", () => {
  assert.equal(lyapunovSlope(curve(Math.sqrt)).lambda!.toFixed(4), "0.0509");
  assert.equal(lyapunovSlope(curve((t) => t)).lambda!.toFixed(4), "0.1018");
});

Deno.test("lyapunovSlope() by hand: ln D = 0, 1, 1 has slope 1/2, intercept −1/3 and R² 3/4", () => {
  const fit = lyapunovSlope([1, Math.E, Math.E], { from: 1, to: 3 });
  assert.ok(close(fit.lambda, 1 / 2) && close(fit.intercept, -1 / 3) && close(fit.r2, 3 / 4));
});

Deno.test("lyapunovSlope() fits the window alone", () => {
  const D = curve((t) => (t < 3 || t > 7 ? 1e6 : Math.exp(0.3 * t)), 9);
  assert.ok(close(lyapunovSlope(D, { from: 3, to: 7 }).lambda, 0.3));
  assert.ok(!close(lyapunovSlope(D, { from: 3, to: 8 }).lambda, 0.3, 0.01));
});

Deno.test("lyapunovSlope() drops and lists rounds at the floor, fitting the others at their own times", () => {
  const D = curve((t) => ([5, 11].includes(t) ? 0 : Math.exp(0.05 * t)));
  const fit = lyapunovSlope(D);
  assert.ok(close(fit.lambda, 0.05));
  assert.deepEqual(fit.dropped, [5, 11]);
  assert.equal(fit.used.length, 16);
  assert.deepEqual(lyapunovSlope([1, 2, 3, 4], { from: 1, to: 4, floor: 1 }).dropped, [1]);
});

Deno.test("lyapunovSlope() without divergence or with too few rounds is absent, with a reason", () => {
  assert.deepEqual(lyapunovSlope([0, 0, 0], { from: 1, to: 3 }), {
    used: [],
    dropped: [1, 2, 3],
    reason: "no-divergence",
  });
  assert.deepEqual(lyapunovSlope([1, 0, 2], { from: 1, to: 3 }), {
    used: [1, 3],
    dropped: [2],
    reason: "too-few-rounds",
  });
  assert.equal(lyapunovSlope([1, 2, 3], { from: 1, to: 2 }).reason, "too-few-rounds");
});

for (
  const [D, options, message] of [
    [[1, NaN, 1], { from: 1, to: 3 }, /^D is NaN in round 2: /],
    [[1, 1, -0.5], { from: 1, to: 2 }, /^D is -0.5 in round 3: .*0 or more/],
    [[1, Infinity, 1], { from: 1, to: 3 }, /^D is Infinity in round 2/],
    [[1, 1, 1], {}, /^to is 20, beyond the last round, 3/],
    [[1, 1, 1], { from: 0, to: 3 }, /^from is 0: .*counted from 1/],
    [[1, 1, 1], { from: 1.5, to: 3 }, /^from is 1.5/],
    [[1, 1, 1], { from: 3, to: 2 }, /must not end before it starts/],
    [[1, 1, 1], { from: 1, to: 3, floor: NaN }, /^floor is NaN/],
  ] as const
) {
  Deno.test(`lyapunovSlope() refuses D = ${D} with ${JSON.stringify(options)}`, () => {
    assert.throws(() => lyapunovSlope(D, options), { name: "RangeError", message });
  });
}

Deno.test("lyapunovSlope() does not change when all distances are scaled", () => {
  const distances = fc.array(fc.double({ min: 1e-6, max: 1, noNaN: true }), { minLength: 5, maxLength: 12 });
  fc.assert(fc.property(distances, fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (D, scale) => {
    const window = { from: 2, to: D.length };
    const scaled = lyapunovSlope(D.map((d) => d * scale), window);
    assert.ok(close(scaled.lambda, lyapunovSlope(D, window).lambda!, 1e-10));
  }));
});
