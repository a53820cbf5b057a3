import fc from "fast-check";
import assert from "node:assert/strict";
import { nearest, unknownName } from "@/core/user_error.ts";

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

Deno.test("unknownName() offers the nearest names and is a bad argument", () => {
  const error = unknownName("scenario", "HL01", ["CL-04", "HL-01"]);
  assert.equal(error.message, 'unknown scenario "HL01": did you mean HL-01 or CL-04?');
  assert.equal(error.exitCode, 2);
});

Deno.test("unknownName() says so where nothing is known", () => {
  assert.equal(unknownName("variant", "formal", []).message, 'unknown variant "formal": there is no variant yet');
});
