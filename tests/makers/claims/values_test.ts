import assert from "node:assert/strict";
import type { Claim } from "@/lab/paper/claims.ts";
import { withValues } from "./values.ts";

const CLAIM = {
  ...{ id: "a", section: "1", claim: "c", criterion: "k", quantity: "count", needs: ["t.csv"] },
  ...{ supported: { n: { above: 0 } }, evidence: "{n} found." },
};
const quantities = {
  count: ({ n }: { n: number }) => ({
    ...{ n, third: n / 3, absent: undefined, all: ["x", "y"] },
    rows: [{ id: "p", size: 1, at: { t: 0, k: 3 } }, { id: "q", size: n, at: { t: 1, k: 5 } }],
    first: { id: "p", size: 1 },
  }),
};
const valuesOf = (claim: Partial<Claim>) => withValues({ ...CLAIM, ...claim }, quantities, { n: 2 }).values;

Deno.test("single values are kept with twelve digits, of lists and rows only what the claim writes", () => {
  assert.deepEqual(valuesOf({}), { n: 2, third: 0.666666666667, all: 2, rows: 2 });
});

Deno.test("the parts of rows that sentence, items and rules name are kept", () => {
  const rows = (claim: Partial<Claim>) => valuesOf(claim)!.rows;
  assert.deepEqual(valuesOf({ evidence: "{all}, {first.id}, {rows:count}, {rows:of n}" }), {
    ...{ n: 2, third: 0.666666666667, all: ["x", "y"], rows: 2, first: { id: "p" } },
  });
  assert.deepEqual(rows({ evidence: "{rows.size.mean}" }), [{ size: 1 }, { size: 2 }]);
  assert.deepEqual(rows({ supported: { "rows.size.max": { above: 0 } } }), [{ size: 1 }, { size: 2 }]);
  assert.deepEqual(rows({ supported: { n: { above: "rows.half" } } }), 2);
  assert.deepEqual(rows({ evidence: "{rows}", items: { rows: "{id} at {at.k}" } }), [
    { id: "p", at: { t: 0, k: 3 } },
    { id: "q", at: { t: 1, k: 5 } },
  ]);
});

Deno.test("an unknown quantity is named with the nearest; a claim without one has no values", () => {
  assert.throws(() => valuesOf({ quantity: "cuont" }), /unknown quantity "cuont": did you mean count/);
  assert.throws(() => valuesOf({ quantity: "toString" }), /unknown quantity "toString"/);
  assert.equal(valuesOf({ quantity: undefined }), undefined);
});
