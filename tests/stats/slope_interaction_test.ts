import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { bootstrapSlope, pairedDifference, slopeDifference, slopeInteraction, twinSlope } from "@/stats/mod.ts";
import { close, growing, proportional } from "./ensembles.ts";

const rng = createRng(1);

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
