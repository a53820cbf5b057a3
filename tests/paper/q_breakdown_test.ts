import assert from "node:assert/strict";
import { loadPublishedRows } from "@/paper/published_rows.ts";
import { preservedBreakdown, publishedBreakdown } from "@/paper/q_breakdown.ts";

Deno.test("published runs by model: parts and block add up to q", async () => {
  const groups = publishedBreakdown(await loadPublishedRows());
  assert.deepEqual(groups.map(({ runs }) => runs.length), [6, 6, 6, 6, 6, 6]);
  for (const { label, q, parts, open } of groups.flatMap(({ runs }) => runs)) {
    const sum = Object.values(parts).reduce((total, part) => total + part, open.earned);
    assert.ok(Math.abs(sum - q) < 0.0008, label);
  }
});

Deno.test("a preserved run in full has no block; an unknown component is one, with what q leaves to it", () => {
  const all = {
    ...{ executability: 1, public_order: 1, info_integrity: 1, trust: 1, time_to_pass: 1, passed_depth: 1 },
    ...{ containment: 1, coalition: 0.5, schema_independence: 1 },
  };
  const { trust: _, ...rest } = all;
  const [group] = preservedBreakdown([
    { model: "m", seed: 1, stabilized: true, q: 0.97, components: all },
    { model: "m", seed: 2, stabilized: true, q: 0.92, components: rest },
  ]);
  assert.deepEqual(group!.runs.map(({ label }) => label), ["m 1", "m 2"]);
  assert.deepEqual(group!.runs[0]!.open, { earned: 0, weight: 0 });
  assert.equal(group!.runs[0]!.parts.coalition, 0.03);
  const { earned, weight } = group!.runs[1]!.open;
  assert.ok(Math.abs(earned - 0.05) < 1e-12 && weight === 0.1);
});

Deno.test("a run without q is refused by name", () => {
  assert.throws(() => preservedBreakdown([{ model: "m", seed: 3, stabilized: true, components: { trust: 1 } }]), {
    name: "RangeError",
    message: "m 3 has no q to break down",
  });
});
