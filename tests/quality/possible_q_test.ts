import assert from "node:assert/strict";
import { loadPublishedRows } from "@/paper/published_rows.ts";
import { possibleQ } from "@/quality/rescore_bounds.ts";

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
