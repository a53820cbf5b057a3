import assert from "node:assert/strict";
import { loadPublishedRows } from "@/paper/published_rows.ts";
import { determinedParts } from "@/quality/pinning.ts";

const near = (value: number, expected: number, within = 1e-9) =>
  assert.ok(Math.abs(value - expected) < within, `${value}, not ${expected}`);
const middle = ({ low, high }: { low: number; high: number }) => (low + high) / 2;

const ROWS = await loadPublishedRows();
const partsOf = (label: string) => determinedParts(ROWS.find((run) => run.label === label)!.row);

Deno.test("GLM 104 by hand: order 0.675, first pass 4, one plan", () => {
  const { parts, open } = partsOf("GLM-5V Turbo 104");
  near(middle(parts.public_order!), 0.16 * 0.325 / 0.45);
  near(middle(parts.time_to_pass!), 0.12 * 3 / 6);
  near(middle(parts.passed_depth!), 0.10 / 3);
  near(open.weight, 0.22 + 0.12 + 0.10 + 0.08 + 0.06 + 0.04);
  near(middle(open.earned), 0.8 - 0.16 * 0.325 / 0.45 - 0.06 - 0.10 / 3);
});

Deno.test("a run without a passed plan earns nothing for its time, which is known", () => {
  const { parts } = partsOf("Gemini-2.5-Pro 104");
  assert.deepEqual([parts.time_to_pass, parts.passed_depth], [{ low: 0, high: 0 }, { low: 0, high: 0 }]);
  near(middle(parts.trust!), 0.10, 1e-6);
});

Deno.test("of a run without a model only public order is determined", () => {
  const { parts, open } = partsOf("no model 111");
  assert.deepEqual(Object.keys(parts), ["public_order"]);
  near(open.weight, 0.84);
  assert.equal(open.components.length, 8);
});

Deno.test("parts and block give the printed q, in every published run", () => {
  for (const { label, row } of ROWS) {
    const { parts, open } = determinedParts(row);
    const sum = Object.values(parts).reduce((total, part) => total + middle(part), middle(open.earned));
    // Half a thousandth of q, and what the rounding of public order adds.
    near(sum, row.q, 0.0008);
    assert.ok(open.earned.high <= open.weight + 1e-9, label);
  }
});
