import assert from "node:assert/strict";
import {
  fixedText,
  intervalText,
  pValue,
  requireFinite,
  share,
  shortText,
  slope,
  undefinedText,
} from "@/core/numbers.ts";

Deno.test("numbers have a true minus sign, and zero has none", () => {
  assert.equal(fixedText(-0.0079), "−0.0079");
  assert.equal(fixedText(-0.00001), "0.0000");
  assert.equal(fixedText(12.345, 1), "12.3");
  assert.equal(intervalText(-0.02, 0.1), "[−0.0200, 0.1000]");
  assert.equal(intervalText(undefined, 0.1), undefined);
});

Deno.test("slope() has four decimals and a true minus sign", () => {
  const slopes = [0.0838, 0.08376, -0.0079, -0.00001, 0, 12].map(slope);
  assert.deepEqual(slopes, ["0.0838", "0.0838", "−0.0079", "0.0000", "0.0000", "12.0000"]);
});

Deno.test("pValue() has three decimals, no leading zero, and a bound below a thousandth", () => {
  const ps = [0, 0.0009, 0.00099999, 0.001, 0.0123, 0.05, 0.5, 0.9996, 1].map(pValue);
  assert.deepEqual(ps, ["< .001", "< .001", "< .001", ".001", ".012", ".050", ".500", "1.000", "1.000"]);
  for (const p of [-0.001, 1.001, NaN, Infinity]) {
    assert.throws(() => pValue(p), { name: "RangeError", message: `the p-value is ${p}: must be in [0, 1]` });
  }
});

Deno.test("share() is whole percent, and one that is nearly none or all of it does not say so", () => {
  const shares = [0, 0.004, 0.0099, 0.01, 0.45, 0.99, 0.991, 1, 1.2, -0.05].map(share);
  assert.deepEqual(shares, ["0 %", "<1 %", "<1 %", "1 %", "45 %", "99 %", ">99 %", "100 %", "120 %", "−5 %"]);
});

Deno.test("slope(), pValue() and share() of what does not exist are no number, and NaN is refused by name", () => {
  assert.deepEqual([slope, pValue, share].map((text) => text(undefined)), Array(3).fill("undefined"));
  assert.throws(() => slope(NaN), { name: "RangeError", message: /^the slope is NaN/ });
  assert.throws(() => slope(-Infinity), { name: "RangeError", message: /^the slope is -Infinity/ });
  assert.throws(() => share(Infinity), { name: "RangeError", message: /^the share is Infinity/ });
});

Deno.test("shortText() has three digits, and powers of ten below a thousandth", () => {
  assert.deepEqual([0, 0.05, 0.123456, 2, 0.001, 1e-4, 1.234e-10, -0.5].map(shortText), [
    ...["0", "0.05", "0.123", "2", "0.001", "1e−4", "1.23e−10", "−0.5"],
  ]);
});

Deno.test("what does not exist is said in words", () => {
  assert.equal(undefinedText("too-few-rounds"), "undefined: too few rounds");
  assert.equal(undefinedText(undefined), "undefined");
});

Deno.test("requireFinite() lets the absent pass and names the rest", () => {
  requireFinite("x", 0, undefined, -1);
  assert.throws(() => requireFinite("x", 0, NaN), { name: "RangeError", message: /^x is NaN; leave the field out/ });
});
