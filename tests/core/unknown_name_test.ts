import assert from "node:assert/strict";
import { unknownName } from "@/core/nearest.ts";

Deno.test("unknownName() offers the nearest names and is a bad argument", () => {
  const error = unknownName("scenario", "HL01", ["CL-04", "HL-01"]);
  assert.equal(error.message, 'unknown scenario "HL01": did you mean HL-01 or CL-04?');
  assert.equal(error.exitCode, 2);
});

Deno.test("unknownName() says so where nothing is known", () => {
  assert.equal(unknownName("variant", "formal", []).message, 'unknown variant "formal": there is no variant yet');
});
