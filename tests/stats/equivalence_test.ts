import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { equivalence, nonInferiority, pairedBy, pairedDifference } from "@/stats/equivalence.ts";
import { close } from "./ensembles.ts";

Deno.test("equivalence() by hand: mean 0, SD 1, n = 4 and one degree tables of t with three degrees of freedom", () => {
  const s = Math.sqrt(3 / 4); // so that the sample's variance is 1
  const { difference, low, high, p } = equivalence([s, -s, s, -s], { margin: 2.353363434801825 / 2 });
  assert.ok(
    close(difference, 0) && close(high, 2.353363434801825 / 2, 1e-9) && close(low, -2.353363434801825 / 2, 1e-9),
  );
  assert.ok(close(p, 0.05, 1e-9), "at the margin that the 90 % interval just reaches");
});

Deno.test("equivalence() rejects at the margin in about 5 of 100 studies, and finds none-existent differences often", () => {
  const rng = createRng(2), studies = 2000;
  const rate = (mean: number) => {
    let found = 0;
    for (let i = 0; i < studies; i++) {
      const draws = Array.from({ length: 20 }, () => mean + 0.02 * rng.normal());
      if (equivalence(draws, { margin: 0.02 }).p! <= 0.05) found++;
    }
    return found / studies;
  };
  const size = rate(0.02);
  assert.ok(size > 0.035 && size < 0.065, `${size}`);
  assert.ok(rate(-0.03) < 0.01);
  assert.ok(rate(0) > 0.95);
});

Deno.test("nonInferiority() by hand: mean 0, SD 1, n = 4 and one degree tables of t with three degrees of freedom", () => {
  const s = Math.sqrt(3 / 4), spread = [s, -s, s, -s], margin = 2.353363434801825 / 2;
  const { p, low } = nonInferiority(spread, { margin });
  assert.ok(close(p, 0.05, 1e-9) && close(low, -margin, 1e-9), "at the margin that the lower bound just reaches");
  const better = spread.map((value) => value + 10 * margin), worse = spread.map((value) => value - 10 * margin);
  assert.ok(nonInferiority(better, { margin }).p! < 1e-3 && nonInferiority(worse, { margin }).p! > 0.999);
  assert.deepEqual(nonInferiority([0, 0, 0], { margin }), { difference: 0, reason: "no-spread" });
});

Deno.test("nonInferiority() passes a mean at −margin in about 5 of 100 studies, and a better one nearly always", () => {
  const rng = createRng(3), studies = 2000;
  const rate = (mean: number) =>
    Array.from({ length: studies }, () => Array.from({ length: 20 }, () => mean + 0.02 * rng.normal()))
      .filter((draws) => nonInferiority(draws, { margin: 0.02 }).p! <= 0.05).length / studies;
  const size = rate(-0.02);
  assert.ok(size > 0.035 && size < 0.065, `${size}`);
  assert.ok(rate(0.05) === 1);
});

Deno.test("pairedBy(): an arm that lost a question loses one pair, and shifts none", () => {
  const from = new Map(["a", "b", "c", "d"].map((question, i) => [question, i / 10]));
  const gain = 0.25, whole = new Map([...from].map(([question, value]) => [question, value + gain]));
  for (const lost of from.keys()) {
    const to = new Map([...whole].filter(([question]) => question !== lost));
    for (const pairs of [pairedBy(to, from), pairedBy(new Map([...whole, [lost, undefined]]), from)]) {
      assert.equal(pairs.length, 3);
      assert.ok(pairs.every((difference) => close(difference, gain)), `${pairs}`);
    }
    assert.ok(pairedBy(from, to).every((difference) => close(difference, -gain)));
  }
});

Deno.test("equivalence() of equal values, and of one, is absent with a reason", () => {
  assert.deepEqual(equivalence([0, 0, 0], { margin: 0.02 }), { difference: 0, reason: "no-spread" });
  assert.deepEqual(equivalence([0.1], { margin: 0.02 }), { difference: 0.1, reason: "too-few-replicates" });
  assert.deepEqual(equivalence([], { margin: 0.02 }), { reason: "too-few-replicates" });
  assert.throws(() => equivalence([1, 2], { margin: 0 }), /margin is 0: must be positive/);
  assert.throws(() => equivalence([1, NaN], { margin: 1 }), /differences\[1\] is NaN/);
});

Deno.test("pairedDifference() by hand: mean 1, SD 1, n = 4 and tables of t with three degrees of freedom", () => {
  const s = Math.sqrt(3 / 4);
  const { delta, low, high, p, ...rest } = pairedDifference([1 + s, 1 - s, 1 + s, 1 - s]);
  assert.ok(
    close(delta, 1) && close(low, 1 - 3.182446305284263 / 2, 1e-9) && close(high, 1 + 3.182446305284263 / 2, 1e-9),
  );
  // P(|t| ≥ 2) with three degrees of freedom is 1 − (2/π)·(arctan(2/√3) + (2/√3)/(1 + 4/3)).
  assert.ok(close(p, 1 - (2 / Math.PI) * (Math.atan(2 / Math.sqrt(3)) + (2 / Math.sqrt(3)) / (7 / 3)), 1e-9));
  assert.deepEqual(rest, { method: "jackknife-t", percentile: {} });
});

Deno.test("pairedDifference() is the jackknife-t of the mean, by leaving out each pair in turn", () => {
  const values = [0.3, -0.1, 0.7, 0.2, 0.4], n = values.length;
  const without = values.map((_, i) => values.toSpliced(i, 1).reduce((sum, value) => sum + value, 0) / (n - 1));
  const middle = without.reduce((sum, value) => sum + value, 0) / n;
  const error = Math.sqrt(((n - 1) / n) * without.reduce((sum, value) => sum + (value - middle) ** 2, 0));
  const { delta, high } = pairedDifference(values);
  assert.ok(close(high! - delta!, 2.7764451051977987 * error, 1e-9));
});

Deno.test("pairedDifference() of equal values, and of one, has no interval and says why", () => {
  assert.deepEqual(pairedDifference([2, 2]), { delta: 2, percentile: {}, reason: "no-spread" });
  assert.deepEqual(pairedDifference([2]), { delta: 2, percentile: {}, reason: "too-few-replicates" });
  assert.deepEqual(pairedDifference([]), { percentile: {}, reason: "too-few-replicates" });
  assert.throws(() => pairedDifference([1, Infinity]), /differences\[1\] is Infinity/);
});

Deno.test("differences of equal scores are equal, whatever their last digit", () => {
  const tenths = [0.8 - 0.7, 0.7 - 0.6, 0.4 - 0.3]; // 0.1 three times, with three last digits
  assert.ok(new Set(tenths).size === 3);
  assert.equal(equivalence(tenths, { margin: 0.2 }).reason, "no-spread");
  assert.equal(equivalence([1e-17, 0, -1e-17], { margin: 0.2 }).reason, "no-spread");
  assert.equal(pairedDifference(tenths).reason, "no-spread");
  assert.equal(pairedDifference([1e-17, 0, -1e-17]).reason, "no-spread");
  assert.ok(equivalence([1e-9, 0, -1e-9], { margin: 0.2 }).high! > 0, "a spread of 1e-9 is one");
});

Deno.test("equivalence() refuses a level at which its interval would have no width, or less", () => {
  for (const level of [0.4, 0.5]) {
    const message = new RegExp(`^RangeError: level is ${level}: must be above 0.5, such as 0.95`);
    assert.throws(() => equivalence([1, 2, 3], { margin: 1, level }), message);
  }
});
