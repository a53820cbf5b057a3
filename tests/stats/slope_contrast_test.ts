import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { pairedDifference } from "@/stats/equivalence.ts";
import { percentileInterval } from "@/stats/intervals.ts";
import { bootstrapSlope, slopeDifference, slopeInteraction, twinSlope } from "@/stats/mod.ts";
import { resampledSlopes, weightedSlopes } from "@/stats/weighted_slopes.ts";
import { close, growing, proportional } from "./ensembles.ts";

const rng = createRng(1);
const WINDOW = { from: 3, to: 20 };

Deno.test("slopeDifference() is the first slope minus the second", () => {
  const { delta, low, high, percentile, reason } = slopeDifference(
    proportional([0, 1, 3], 0.08),
    proportional([0, 2, 3, 9], 0.03),
    {
      rng,
    },
  );
  for (const value of [delta, low, high, percentile.low, percentile.high]) assert.ok(close(value, 0.05));
  assert.equal(reason, undefined);
});

Deno.test("slopeDifference() pairs independent resamples of both groups", () => {
  const full = growing(createRng(1), 0.05, { replicates: 4 }), ablated = growing(createRng(2), 0, { replicates: 3 });
  const draws = (runs: typeof full, label: string) =>
    resampledSlopes(runs, { rng: rng.fork(label), resamples: 400, window: WINDOW, errors: "none" })
      .slice(1).map(({ slope }) => slope);
  const others = draws(ablated, "ablated");
  const differences = draws(full, "full").flatMap((slope, i) => {
    const difference = slope - others[i]!;
    return Number.isNaN(difference) ? [] : [difference];
  });
  assert.ok(differences.length < 400, "some resamples must be undefined here");
  const { percentile } = slopeDifference(full, ablated, { rng, resamples: 400, level: 0.8 });
  assert.deepEqual(percentile, percentileInterval(differences, 0.8));
});

Deno.test("slopeDifference() of a group and itself has the width of two independent errors, not of none", () => {
  const runs = growing(createRng(5), 0.05, { replicates: 20 });
  const { delta, percentile: { low, high } } = slopeDifference(runs, runs, { rng, resamples: 2000 });
  const one = bootstrapSlope(runs, { rng, resamples: 2000 }).percentile;
  assert.equal(delta, 0);
  const ratio = (high! - low!) / (one.high! - one.low!);
  assert.ok(Math.abs(ratio - Math.SQRT2) < 0.12);
});

Deno.test("slopeDifference() has an interval and a test that are symmetric, two-sided and wider than one group's", () => {
  const runs = growing(createRng(5), 0.05, { replicates: 20 }), others = growing(createRng(6), 0.3, { replicates: 20 });
  const same = slopeDifference(runs, runs, { rng });
  assert.deepEqual([same.p, same.method], [1, "bootstrap-t"]);
  assert.ok(close(same.low, -same.high!));
  const { delta, low, high, p } = slopeDifference(runs, others, { rng });
  assert.ok(close(high! - delta!, delta! - low!) && p === 1 / 501);
  assert.equal(slopeDifference(others, runs, { rng }).p, p);
});

Deno.test("slopeDifference() with fewer than seven runs in a group is jackknife-t of the smaller group", () => {
  const few = growing(createRng(5), 0.05, { replicates: 4 }), many = growing(createRng(6), 0, { replicates: 20 });
  const { delta, high, method } = slopeDifference(few, many, { rng });
  const error = Math.hypot(...[few, many].map((runs) => {
    const { errors } = weightedSlopes(runs, new Int32Array(runs.length).fill(1), WINDOW, "delete-one");
    return errors[0]!;
  }));
  assert.equal(method, "jackknife-t");
  assert.ok(close(high! - delta!, 3.1824463052842638 * error, 1e-9));
});

Deno.test("slopeDifference() gives what can be had, and the reason for the rest", () => {
  const three = proportional([0, 1, 3], 0.1), two = proportional([0, 1], 0.1), same = proportional([1, 1, 1], 0.1);
  const meeting = three.map((run) => run.map((state, t) => (t === 6 ? [0, 0] : state)));
  for (
    const [full, ablated, reason] of [[two, three, "too-few-replicates"], [three, meeting, "missing-rounds"]] as const
  ) {
    for (const result of [slopeDifference(full, ablated, { rng }), slopeDifference(ablated, full, { rng })]) {
      assert.ok(close(result.delta, 0));
      assert.deepEqual(Object.keys(result), ["delta", "reason", "percentile"]);
      assert.equal(result.reason, reason);
    }
  }
  assert.deepEqual(slopeDifference(three, same, { rng }), { reason: "no-divergence", percentile: {} });
  assert.deepEqual(slopeDifference([], three, { rng }), { reason: "too-few-replicates", percentile: {} });
});

Deno.test("slopeDifference() says which group is broken", () => {
  const three = proportional([0, 1, 3], 0.1);
  assert.throws(() => slopeDifference(three, [...three, []], { rng }), /^RangeError: ablated\[3\] has no rounds/);
  assert.throws(() => slopeDifference([...three, []], three, { rng }), /^RangeError: full\[3\] has no rounds/);
});

Deno.test("slopeInteraction() is what both do beyond the sum of the two", () => {
  const groups = {
    both: proportional([0, 1, 3], 0.05),
    first: proportional([0, 2, 5], 0.09),
    second: proportional([0, 1, 2], 0.06),
    neither: proportional([0, 1, 7], 0.02),
  };
  const { delta, low, high, percentile } = slopeInteraction(groups, { rng });
  for (const value of [delta, low, high, percentile.low, percentile.high]) {
    assert.ok(close(value, 0.05 - 0.09 - 0.06 + 0.02));
  }
});

Deno.test("slopeInteraction() has the width of four independent errors", () => {
  const runs = growing(createRng(5), 0.05, { replicates: 20 });
  const { percentile: two } = slopeDifference(runs, runs, { rng, resamples: 2000 });
  const four = slopeInteraction({ both: runs, first: runs, second: runs, neither: runs }, { rng, resamples: 2000 });
  assert.equal(four.delta, 0);
  const ratio = (four.percentile.high! - four.percentile.low!) / (two.high! - two.low!);
  assert.ok(Math.abs(ratio - Math.SQRT2) < 0.12, `${ratio}`);
});

Deno.test("slopeInteraction() of a group that does not diverge is undefined, and says why", () => {
  const moving = proportional([0, 1, 3], 0.05);
  const groups = { both: moving, first: moving, second: proportional([1, 1, 1], 0.1), neither: moving };
  assert.deepEqual(slopeInteraction(groups, { rng }), { reason: "no-divergence", percentile: {} });
});

Deno.test("every slope and every contrast has one shape: low, high, p, method, and the paper's interval as percentile", () => {
  const runs = growing(createRng(5), 0.05, { replicates: 8 });
  const all = [
    bootstrapSlope(runs, { rng }),
    slopeDifference(runs, runs, { rng }),
    slopeInteraction({ both: runs, first: runs, second: runs, neither: runs }, { rng }),
    twinSlope(runs.map((run) => run.map(([x]) => Math.abs(x!))), { rng }),
    pairedDifference([1, 2, 4]),
  ];
  for (const { low, high, p, method, percentile, reason } of all) {
    assert.ok(low! < high! && 0 <= p! && p! <= 1 && /^(bootstrap|jackknife)-t$/.test(method!));
    assert.ok(Object.keys(percentile).every((key) => ["low", "high"].includes(key)));
    assert.equal(reason, undefined);
  }
});
