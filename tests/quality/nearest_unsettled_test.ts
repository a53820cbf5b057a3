import assert from "node:assert/strict";
import { PUBLISHED_WEIGHTS, rescoreBounds, type Weights } from "@/quality/mod.ts";
import { nearestUnsettled, type WeightMove } from "@/quality/nearest_unsettled.ts";
import { COMPONENTS } from "@/schema/quality_names.ts";

const row = { stabilized: true, active_rumors: 0, time_to_first_pass: 3, passed_count: 2 };
const ROWS = {
  high: { ...row, q: 0.909, public_order: 0.798, active_rumors: 1 },
  low: { ...row, q: 0.84, public_order: 0.641, active_rumors: 2 },
  quiet: { ...row, q: 0.845, public_order: 0.987, passed_count: 1 },
};

const after = ({ from, to, moved }: WeightMove): Weights => ({
  ...PUBLISHED_WEIGHTS,
  [from]: Math.max(0, PUBLISHED_WEIGHTS[from] - moved),
  [to]: PUBLISHED_WEIGHTS[to] + moved,
});

/** What the leader is certainly, and what it is possibly, ahead. */
function leads(a: typeof row & { q: number; public_order: number }, b: typeof a, weights: Weights) {
  const [first, second] = [rescoreBounds(a, weights), rescoreBounds(b, weights)];
  return { certain: first.low - second.high, possible: first.high - second.low };
}

for (const [name, a, b] of [["high and low", ROWS.high, ROWS.low], ["quiet and low", ROWS.quiet, ROWS.low]] as const) {
  Deno.test(`${name}: the moves found are the ends, and a search of all 72 by small steps finds none smaller`, () => {
    const found = nearestUnsettled(a, b, PUBLISHED_WEIGHTS);
    assert.equal(found.order, "above");
    const step = 0.002;
    const least = { unsettled: Infinity, reversed: Infinity };
    for (const from of COMPONENTS) {
      for (const to of COMPONENTS) {
        if (from === to) continue;
        for (let moved = 0; moved <= PUBLISHED_WEIGHTS[from]; moved += step) {
          const { certain, possible } = leads(a, b, after({ from, to, moved }));
          if (certain <= 0) least.unsettled = Math.min(least.unsettled, moved);
          if (possible < 0) least.reversed = Math.min(least.reversed, moved);
        }
      }
    }
    for (const what of ["unsettled", "reversed"] as const) {
      const moved = found[what]?.moved ?? Infinity;
      assert.ok(moved <= least[what] && (moved === least[what] || moved > least[what] - step - 1e-9), what);
    }
    const unsettled = leads(a, b, after(found.unsettled!));
    assert.ok(Math.abs(unsettled.certain) < 1e-9, "the certain lead is just used up");
    if (found.reversed) assert.ok(Math.abs(leads(a, b, after(found.reversed)).possible) < 1e-6);
  });
}

Deno.test("an order by public order alone is certainly reversed once its weight goes elsewhere, the other way round too", () => {
  const ab = nearestUnsettled(ROWS.quiet, ROWS.low, PUBLISHED_WEIGHTS);
  const ba = nearestUnsettled(ROWS.low, ROWS.quiet, PUBLISHED_WEIGHTS);
  assert.equal(ab.reversed!.from, "public_order");
  assert.deepEqual(ba, { ...ab, order: "below" });
});

Deno.test("the best and the worst run cannot be unsettled; an open order has nothing to lose", () => {
  const best = { ...row, q: 0.961, public_order: 0.963, time_to_first_pass: 1 };
  const worst = {
    q: 0.45,
    public_order: 0.35,
    active_rumors: 8,
    stabilized: false,
    time_to_first_pass: null,
    passed_count: 0,
  };
  assert.deepEqual(nearestUnsettled(best, { ...worst, q: 0.1 }, PUBLISHED_WEIGHTS).reversed, undefined);
  assert.deepEqual(nearestUnsettled(best, { ...best, q: 0.9615 }, PUBLISHED_WEIGHTS), { order: "undecided" });
});
