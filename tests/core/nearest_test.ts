import fc from "fast-check";
import assert from "node:assert/strict";
import { nearest } from "@/core/nearest.ts";

Deno.test("nearest() puts the likeliest spelling first", () => {
  // Edits without regard to case: HL-01 1, IM-01 3, CL-04 3.
  assert.deepEqual(nearest("hl01", ["IM-01", "CL-04", "HL-01"]), ["HL-01", "IM-01", "CL-04"]);
});

Deno.test("nearest() gives three by default and at most `count`", () => {
  const candidates = ["a", "b", "c", "d"];
  assert.deepEqual(nearest("a", candidates), ["a", "b", "c"]);
  assert.deepEqual(nearest("a", candidates, { count: 1 }), ["a"]);
  assert.deepEqual(nearest("a", []), []);
});

Deno.test("nearest() finds a name among others however its case was mistaken", () => {
  const name = fc.stringMatching(/^[A-Za-z-]{1,8}$/);
  fc.assert(fc.property(fc.uniqueArray(name, { minLength: 1, selector: (text) => text.toLowerCase() }), (names) => {
    for (const name of names) assert.equal(nearest(name.toUpperCase(), names, { count: 1 })[0], name);
  }));
});
