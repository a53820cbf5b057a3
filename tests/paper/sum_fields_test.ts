import assert from "node:assert/strict";
import { sumFields } from "@/paper/accounting.ts";

Deno.test("sumFields() adds numbers field by field and leaves out what is none", () => {
  const rows = [{ a: 1, b: 0, names: ["x"] }, { a: 2, b: 5, names: [] }, { a: -4, b: 1, names: ["y"] }];
  assert.deepEqual(sumFields(rows), { a: -1, b: 6 });
});

Deno.test("sumFields() refuses to add up nothing: zero would not be known", () => {
  assert.throws(() => sumFields([]), { name: "RangeError", message: /no records to add up/ });
});
