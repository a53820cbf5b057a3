import assert from "node:assert/strict";
import { countText, fixedText, intervalText, requireFinite, shortText, undefinedText } from "@/core/numbers.ts";

Deno.test("numbers have a true minus sign, and zero has none", () => {
  assert.equal(fixedText(-0.0079), "−0.0079");
  assert.equal(fixedText(-0.00001), "0.0000");
  assert.equal(fixedText(12.345, 1), "12.3");
  assert.equal(intervalText(-0.02, 0.1), "[−0.0200, 0.1000]");
  assert.equal(intervalText(undefined, 0.1), undefined);
});

Deno.test("shortText() has three digits, and powers of ten below a thousandth", () => {
  assert.deepEqual([0, 0.05, 0.123456, 2, 0.001, 1e-4, 1.234e-10, -0.5].map(shortText), [
    ...["0", "0.05", "0.123", "2", "0.001", "1e−4", "1.23e−10", "−0.5"],
  ]);
});

Deno.test("what does not exist is said in words", () => {
  assert.equal(undefinedText("too-few-rounds"), "undefined: too few rounds");
  assert.equal(undefinedText(undefined), "undefined");
  assert.deepEqual([0, 1, 2].map((n) => countText(n, "run")), ["0 runs", "1 run", "2 runs"]);
});

Deno.test("requireFinite() lets the absent pass and names the rest", () => {
  requireFinite("x", 0, undefined, -1);
  assert.throws(() => requireFinite("x", 0, NaN), { name: "RangeError", message: /^x is NaN; leave the field out/ });
});
