import fc from "fast-check";
import assert from "node:assert/strict";
import { BOUND_ASSUMPTIONS, type PublishedRow } from "@/quality/mod.ts";
import { componentRanges } from "@/quality/published_row.ts";
import { COMPONENTS } from "@/schema/station_summary.ts";
import { NAMES, printedRun, rangesByHand } from "./bounds_by_hand.ts";

const ROW: PublishedRow = { q: 0.713, public_order: 0.575, active_rumors: 2, stabilized: true };

Deno.test("by hand: order is printed to within .0005 / .45, rumours leave the scandal open, the rest is unknown", () => {
  const ranges = componentRanges(ROW);
  assert.deepEqual(Object.keys(ranges), [...COMPONENTS]);
  const { public_order: order, containment, ...rest } = ranges;
  assert.ok(
    Math.abs(order.low - (0.5 - 0.0005 / 0.45)) < 1e-12 && Math.abs(order.high - (0.5 + 0.0005 / 0.45)) < 1e-12,
  );
  // 1 − .55·2/8 = .8625 without a scandal, .45 less with the largest.
  assert.ok(Math.abs(containment.low - 0.4125) < 1e-12 && Math.abs(containment.high - 0.8625) < 1e-12);
  const { executability, ...anything } = rest;
  assert.deepEqual(executability, { low: 0.58, high: 1 });
  for (const [name, range] of Object.entries(anything)) assert.deepEqual(range, { low: 0, high: 1 }, name);
});

Deno.test("what was published is exact or rounded, and the gate says nothing where it did not open", () => {
  const told = componentRanges({ ...ROW, time_to_first_pass: 3, passed_count: 2, plan_executability: 0.5, trust: 1 });
  assert.deepEqual(told.time_to_pass, { low: 4 / 6, high: 4 / 6 });
  assert.deepEqual(told.passed_depth, { low: 2 / 3, high: 2 / 3 });
  assert.deepEqual(told.executability, { low: 0.4995, high: 0.5005 });
  assert.deepEqual(told.trust, { low: 1, high: 1 });
  assert.deepEqual(componentRanges({ ...ROW, stabilized: false }).executability, { low: 0, high: 1 });
  assert.deepEqual(componentRanges({ ...ROW, time_to_first_pass: null }).time_to_pass, { low: 0, high: 0 });
});

Deno.test("a level at its end is not rounded beyond it", () => {
  assert.deepEqual(componentRanges({ ...ROW, plan_executability: 1 }).executability, { low: 0.9995, high: 1 });
  assert.deepEqual(componentRanges({ ...ROW, plan_executability: 0 }).executability, { low: 0, high: 0.0005 });
});

Deno.test("the ranges of any printed run are those of Appendix A, and hold the run as it was", () => {
  fc.assert(
    fc.property(printedRun, ({ row, truth }) => {
      const [found, expected] = [componentRanges(row), rangesByHand(row)];
      for (const name of NAMES) {
        const [{ low, high }, { low: least, high: most }] = [found[name], expected[name]];
        assert.ok(Math.abs(low - least) < 1e-12 && Math.abs(high - most) < 1e-12, `${name}: ${low} to ${high}`);
        assert.ok(low - 1e-12 <= truth[name] && truth[name] <= high + 1e-12, name);
      }
    }),
    { seed: 5, numRuns: 300 },
  );
});

Deno.test("a row with a value that cannot be is refused by name; null and texts do not count as numbers", () => {
  const refused = (wrong: Record<string, unknown>, message: RegExp) =>
    assert.throws(() => componentRanges({ ...ROW, ...wrong } as PublishedRow), { name: "RangeError", message });
  for (const name of ["q", "public_order", "active_rumors"]) {
    refused({ [name]: undefined }, new RegExp(`^${name} of a published row must be known`));
  }
  for (const name of ["q", "public_order", "plan_executability", "info_integrity", "trust"]) {
    for (const value of [-0.001, 1.001, NaN, null, "0.5"]) {
      refused({ [name]: value }, new RegExp(`^${name} of a published row must be in \\[0, 1\\], found ${value}$`));
    }
  }
  for (const value of [-1, 2.5, NaN, Infinity, null]) {
    refused({ active_rumors: value }, /^active_rumors must be a whole number of at least 0, found/);
    refused({ passed_count: value }, /^passed_count must be a whole number of at least 0, found/);
  }
  for (const value of [0, 7, 2.5, NaN]) {
    refused(
      { time_to_first_pass: value },
      /^time_to_first_pass must be a round from 1 to 6, or null when no plan passed/,
    );
  }
  refused({ stabilized: "yes" }, /^stabilized must be true or false, found yes$/);
  refused({ time_to_first_pass: null, passed_count: 1 }, /contradict each other: time_to_first_pass is null, passed_/);
  refused(
    { time_to_first_pass: 2, passed_count: 0 },
    /contradict each other: time_to_first_pass is 2, passed_count is 0/,
  );
});

Deno.test("the assumptions that every statement from bounds carries name rounding, scandal, gate and the unknown", () => {
  const text = BOUND_ASSUMPTIONS.join("; ");
  for (const said of ["0.0005", "scandal load lies between 0 and 6", "at least 0.58", "anywhere in [0, 1]"]) {
    assert.ok(text.includes(said), said);
  }
});
