import fc from "fast-check";
import assert from "node:assert/strict";
import { loadPublishedRows } from "@/lab/paper/published_rows.ts";
import { loadCleanLiveRuns, loadNoModelRuns } from "@/lab/paper/published_station.ts";
import { NAMED_WEIGHTS, pinning, rescoreBounds, type Weights } from "@/quality/mod.ts";
import type { Interval, PublishedRow } from "@/quality/published_row.ts";
import { boundsSolver, fillOrder, possibleQ } from "@/quality/rescore_bounds.ts";
import { anyWeights, boundsByProgramme, NAMES, printedRun, rangesByHand, scoreOf, TABLE_4 } from "./bounds_by_hand.ts";

function same(found: Interval, expected: Interval, what: string, within = 1e-9): void {
  const text = `${what}: ${found.low} to ${found.high}, expected ${expected.low} to ${expected.high}`;
  assert.ok(Math.abs(found.low - expected.low) < within && Math.abs(found.high - expected.high) < within, text);
}

/** The 30 rows of Table 11 and the six of Table 8, whose margin is public order less 0.35. */
async function publishedRows(): Promise<PublishedRow[]> {
  const live = (await loadCleanLiveRuns()).map((row) => ({
    q: row.q!,
    public_order: row.public_order!,
    active_rumors: row.active_rumors!,
    time_to_first_pass: row.time_to_first_pass,
    passed_count: row.passed_count,
    stabilized: !row.class.startsWith("FAILED"),
  }));
  const floor = (await loadNoModelRuns()).map((row) => ({
    q: row.q!,
    public_order: row.public_order_margin! + 0.35,
    active_rumors: row.active_rumors!,
    stabilized: row.stabilized!,
  }));
  return [...live, ...floor];
}

Deno.test("by hand: what must be lost is lost where it costs the new score most, or least", () => {
  // Full marks but for .0333 of depth leave .9667; a printed .900 says that .0662 to .0672 more were lost.
  const full = { public_order: 0.9, active_rumors: 0, stabilized: true, time_to_first_pass: 1, passed_count: 2 };
  const row = { q: 0.9, ...full };
  const lost = { most: 0.9 + 0.2 / 3 - 0.8995, least: 0.9 + 0.2 / 3 - 0.9005 };
  same(rescoreBounds(row, { trust: 1 }), { low: 1 - lost.most / 0.1, high: 1 }, "trust alone", 1e-12);
  // Coalition has .06 to lose and can be lost wholly; its weight of .06 was not enough to explain the rest.
  same(rescoreBounds(row, { coalition: 1 }), { low: 0, high: 1 }, "coalition alone", 1e-12);
  // Containment cannot fall below .55 without rumours.
  same(rescoreBounds(row, { containment: 1 }), { low: 0.55, high: 1 }, "containment alone", 1e-12);
  // .22 + .12 + .10 + .08 + .06 + .04 = .62 are open; under their own weights it is the loss that counts.
  const open = {
    executability: 22,
    info_integrity: 12,
    trust: 10,
    containment: 8,
    coalition: 6,
    schema_independence: 4,
  };
  const shares = Object.fromEntries(Object.entries(open).map(([name, weight]) => [name, weight / 62]));
  same(rescoreBounds(row, shares), { low: 1 - lost.most / 0.62, high: 1 - lost.least / 0.62 }, "open ones", 1e-12);
});

Deno.test("all 36 published rows, under every named weighting and each component alone, as a general solver has them", async () => {
  const alone = NAMES.map((name): Weights => ({ [name]: 1 }));
  const named = Object.values(NAMED_WEIGHTS).map(({ weights }) => weights);
  const rows = await publishedRows();
  assert.equal(rows.length, 36);
  for (const [i, row] of rows.entries()) {
    for (const weights of [...named, ...alone]) {
      same(rescoreBounds(row, weights), boundsByProgramme(row, weights), `row ${i}, ${JSON.stringify(weights)}`);
    }
  }
});

Deno.test("any printed run under any weights: as a general solver has them", () => {
  fc.assert(
    fc.property(printedRun, anyWeights, ({ row }, weights) => {
      same(rescoreBounds(row, weights), boundsByProgramme(row, weights), "bounds");
    }),
    { seed: 1, numRuns: 600 },
  );
});

Deno.test("the run as it was, before it was printed, always lies within its bounds", () => {
  fc.assert(
    fc.property(printedRun, anyWeights, ({ row, truth }, weights) => {
      const { low, high } = rescoreBounds(row, weights);
      const q = scoreOf(truth, weights);
      assert.ok(0 <= low && low - 1e-12 <= q && q <= high + 1e-12 && high <= 1, `${low} ≤ ${q} ≤ ${high}`);
    }),
    { seed: 2, numRuns: 1000 },
  );
});

Deno.test("under the published weights the bounds are the printed q and its rounding, as far as that is possible", () => {
  fc.assert(
    fc.property(printedRun, ({ row }) => {
      const ranges = rangesByHand(row);
      const end = (side: "low" | "high") => NAMES.reduce((sum, name) => sum + TABLE_4[name] * ranges[name][side], 0);
      const expected = { low: Math.max(row.q - 0.0005, end("low")), high: Math.min(row.q + 0.0005, end("high")) };
      same(rescoreBounds(row, TABLE_4), expected, "published", 1e-12);
    }),
    { seed: 3, numRuns: 500 },
  );
});

Deno.test("the ends never change places, not even by the last digit", () => {
  const all = { executability: 0.1, coalition: 0.7, trust: 0.2, containment: 0.3 };
  const best = { q: 1, public_order: 0.9, active_rumors: 0, stabilized: true, time_to_first_pass: 1, passed_count: 3 };
  const told = { info_integrity: 1, trust: 1, plan_executability: 1 };
  fc.assert(
    fc.property(printedRun, anyWeights, ({ row }, weights) => {
      for (const one of [row, { ...best, ...told }]) {
        const { low, high } = rescoreBounds(one, weights);
        assert.ok(low <= high);
      }
    }),
    { seed: 4, numRuns: 500 },
  );
  assert.ok(rescoreBounds(best, all).low <= rescoreBounds(best, all).high);
});

Deno.test("weights of any sum: half of them give half the bounds, and what exceeds 1 is cut", () => {
  const row = { q: 0.713, public_order: 0.525, active_rumors: 2, stabilized: true };
  const whole = rescoreBounds(row, { trust: 0.5, coalition: 0.5 });
  const half = rescoreBounds(row, { trust: 0.25, coalition: 0.25 });
  same(half, { low: whole.low / 2, high: whole.high / 2 }, "half", 1e-12);
  assert.deepEqual(rescoreBounds(row, { executability: 3 }), { low: 1, high: 1 });
});

Deno.test("a row prepared once and weights prepared once give what they give together", async () => {
  const solvers = (await publishedRows()).map((row) => [row, boundsSolver(row)] as const);
  for (const { weights } of Object.values(NAMED_WEIGHTS)) {
    const filling = fillOrder(weights);
    for (const [row, bounds] of solvers) assert.deepEqual(bounds(filling), rescoreBounds(row, weights));
  }
});

Deno.test("bad weights and a row that contradicts itself are refused", () => {
  const row = { q: 0.713, public_order: 0.525, active_rumors: 2, stabilized: true };
  const of = (weights: Record<string, number>, other: Partial<PublishedRow> = {}) => () =>
    rescoreBounds({ ...row, ...other }, weights as Weights);
  assert.throws(of({ trsut: 1 }), /^UserError: unknown component "trsut": did you mean trust\b/);
  assert.throws(of({ trust: -1 }), /^RangeError: the weight of trust must be a number of at least 0, found -1$/);
  assert.throws(of({ trust: NaN }), /^RangeError: the weight of trust .* found NaN$/);
  assert.throws(of({ trust: 0 }), /^RangeError: at least one weight must be above 0$/);
  // By hand: .16·(.1745/.45) + .22·.58 + .08·(1 − .1375 − .45) = .22264 at least, .22 + .0624 + .54 + .08·.8625 at most.
  assert.throws(
    of({ trust: 1 }, { q: 0.2 }),
    /^RangeError: the published values contradict each other: q is 0\.2, the others allow 0\.2226 to 0\.8914$/,
  );
  assert.throws(of({ trust: 1 }, { q: 0.892 }), /q is 0\.892, the others allow 0\.2226 to 0\.8914$/);
  assert.deepEqual(rescoreBounds({ ...row, q: 0.891 }, { trust: 1 }).high, 1);
});

Deno.test("what a component of one's own reads was not published: all or nothing of its weight may be earned", () => {
  const row = { q: 0.713, public_order: 0.525, active_rumors: 2, stabilized: true };
  const components = { calm: { field: "manipulation_pressure", worst: 4, best: 0 } };
  // Executability alone lies in [.58, 1], as in the example of rescoreBounds().
  same(rescoreBounds(row, { executability: 0.5, calm: 0.25 }, { components }), { low: 0.29, high: 0.75 }, "both");
  same(rescoreBounds(row, { calm: 1 }, { components }), { low: 0, high: 1 }, "calm alone");
  assert.throws(() => rescoreBounds(row, { calm: 1 }), /unknown component "calm"/);
});

const near = (found: number, expected: number, what: string, within = 1e-9) =>
  assert.ok(Math.abs(found - expected) < within, `${what}: ${found}, expected ${expected}`);

Deno.test("MIMO 109 by hand: at most .0062 of the .62 that were not printed can have been lost", () => {
  const levels = { q: 0.961, public_order: 0.963, active_rumors: 0, stabilized: true };
  const { openWeight, earned, components, tightness } = pinning({
    ...levels,
    time_to_first_pass: 1,
    passed_count: 2,
  });
  near(openWeight, 0.62, "open weight");
  const lost = { most: 0.9 + 0.2 / 3 - 0.9605, least: 0.9 + 0.2 / 3 - 0.9615 };
  near(earned.low, 1 - lost.most / 0.62, "earned at least");
  near(earned.high, 1 - lost.least / 0.62, "earned at most");
  const open = ["executability", "info_integrity", "trust", "containment", "coalition", "schema_independence"] as const;
  assert.deepEqual(Object.keys(components), [...open]);
  let learned = 0;
  for (const name of open) {
    const { prior, pinned } = components[name]!;
    near(pinned.low, 1 - lost.most / TABLE_4[name], name);
    near(pinned.high, 1, name);
    // Width after, of width before: .42 for executability, .45 for containment, 1 for the others.
    const before = name === "executability" ? 0.42 : name === "containment" ? 0.45 : 1;
    near(prior.high - prior.low, before, name);
    learned += TABLE_4[name] * (1 - lost.most / TABLE_4[name] / before);
  }
  near(tightness, learned / 0.62, "tightness");
});

Deno.test("a middling q says next to nothing of each component alone, and all the same pins their sum", () => {
  const row: PublishedRow = { q: 0.5, public_order: 0.575, active_rumors: 2, stabilized: false };
  const { earned, components, tightness } = pinning(row);
  assert.ok(earned.high - earned.low < 0.002);
  assert.deepEqual(components.trust!.pinned, { low: 0, high: 1 });
  assert.ok(tightness < 0.05, String(tightness));
});

Deno.test("what a table prints is not open, whatever its rounding; a first pass of null is printed", () => {
  const row: PublishedRow = { q: 0.5, public_order: 0.575, active_rumors: 2, stabilized: false };
  const told = { plan_executability: 0.4, info_integrity: 0.6, trust: 0.5, time_to_first_pass: null, passed_count: 0 };
  assert.deepEqual(Object.keys(pinning({ ...row, ...told, q: 0.295 }).components), [
    "containment",
    "coalition",
    "schema_independence",
  ]);
});

Deno.test("any printed run: pinned ranges are those of a general solver, lie in the prior ones and hold the run", () => {
  fc.assert(
    fc.property(printedRun, ({ row, truth }) => {
      const { openWeight, earned, components, tightness } = pinning(row);
      const prior = rangesByHand(row);
      const open = NAMES.filter((name) => prior[name].high - prior[name].low > 0.003);
      assert.deepEqual(Object.keys(components), open);
      near(openWeight, open.reduce((sum, name) => sum + TABLE_4[name], 0), "open weight");
      const share = Object.fromEntries(open.map((name) => [name, TABLE_4[name] / openWeight]));
      const together = boundsByProgramme(row, share);
      near(earned.low, together.low, "earned at least");
      near(earned.high, together.high, "earned at most");
      const truly = scoreOf(truth, share);
      assert.ok(earned.low - 1e-12 <= truly && truly <= earned.high + 1e-12);
      for (const name of open) {
        const [{ pinned }, expected] = [components[name]!, boundsByProgramme(row, { [name]: 1 })];
        near(pinned.low, expected.low, name);
        near(pinned.high, expected.high, name);
        assert.ok(prior[name].low - 1e-12 <= pinned.low && pinned.high <= prior[name].high + 1e-12);
        assert.ok(pinned.low - 1e-12 <= truth[name] && truth[name] <= pinned.high + 1e-12);
      }
      assert.ok(-1e-12 <= tightness && tightness <= 1 + 1e-12, String(tightness));
    }),
    { seed: 10, numRuns: 100 },
  );
});

Deno.test("MIMO 104 by hand: full order, round 1, two plans, three rumours, a gate of 0.58", () => {
  const printed = { public_order: 1, active_rumors: 3, stabilized: true, time_to_first_pass: 1, passed_count: 2 };
  const { low, high } = possibleQ({ q: 0.944, ...printed });
  const sure = 0.16 + 0.12 + 0.10 * 2 / 3;
  assert.ok(Math.abs(low - (sure + 0.22 * 0.58 + 0.08 * (1 - 0.20625 - 0.45))) < 1e-12);
  assert.ok(Math.abs(high - (sure + 0.22 + 0.12 + 0.10 + 0.08 * (1 - 0.20625) + 0.06 + 0.04)) < 1e-12);
});

Deno.test("every published q is possible, and MIMO 109 as good as the most that is", async () => {
  for (const { label, row } of await loadPublishedRows()) {
    const { low, high } = possibleQ(row);
    assert.ok(row.q - 0.0005 <= high && row.q + 0.0005 >= low, label);
    if (label === "MIMO-v2.5 109") assert.ok(high - (row.q - 0.0005) < 0.0002);
  }
});
