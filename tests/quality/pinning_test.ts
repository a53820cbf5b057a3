import fc from "fast-check";
import assert from "node:assert/strict";
import { pinning, type PublishedRow } from "@/quality/mod.ts";
import { boundsByProgramme, NAMES, printedRun, rangesByHand, scoreOf, TABLE_4 } from "./bounds_by_hand.ts";

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
