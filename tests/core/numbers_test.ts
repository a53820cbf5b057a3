import fc from "fast-check";
import assert from "node:assert/strict";
import {
  apportion,
  clamp01,
  committeeMean,
  fixedText,
  intervalText,
  pValue,
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
  assert.equal(undefinedText("no-divergence"), "undefined: all runs are equal");
  assert.equal(undefinedText(undefined), "undefined");
});

Deno.test("slope() and share() let the absent pass and name what is not finite", () => {
  for (const [write, name] of [[slope, "slope"], [share, "share"]] as const) {
    assert.equal(write(undefined), "undefined");
    const message = new RegExp(`^the ${name} is NaN; leave the field out`);
    assert.throws(() => write(NaN), { name: "RangeError", message });
  }
});

Deno.test("clamp01() leaves what is inside, its ends too, and takes the nearer end outside", () => {
  const cases = [[-Infinity, 0], [-1e-12, 0], [0, 0], [0.25, 0.25], [1, 1], [1 + 1e-12, 1], [Infinity, 1]] as const;
  for (const [value, nearest] of cases) assert.equal(clamp01(value), nearest, String(value));
});

Deno.test("clamp01() gives no negative zero, which would print as -0", () => {
  assert.ok(Object.is(clamp01(-0), 0));
});

Deno.test("clamp01() refuses NaN instead of passing it on", () => {
  assert.throws(() => clamp01(NaN), RangeError);
});

const KEYS = ["a", "b", "c"] as const;
const table = (values: readonly number[]) => ({ a: values[0]!, b: values[1]!, c: values[2]! });

Deno.test("the largest remainder gets the odd part, the first of equals", () => {
  assert.deepEqual(apportion(10, KEYS, { weights: table([5, 3, 2]) }), table([5, 3, 2]));
  assert.deepEqual(apportion(10, KEYS, { weights: table([1, 1, 1]) }), table([4, 3, 3]));
  // 7 · (3, 2, 1) / 6 = 3.5, 2.33, 1.17
  assert.deepEqual(apportion(7, KEYS, { weights: table([3, 2, 1]) }), table([4, 2, 1]));
  assert.deepEqual(apportion(7, KEYS, { weights: table([1, 2, 3]) }), table([1, 2, 4]));
});

Deno.test("a cap that cuts one share pushes the next over its own", () => {
  // 12 · (4, 1, 1) / 6 = 8, 2, 2: a is cut to 2; of the 10 left b would get 5 and is cut to 3.
  assert.deepEqual(apportion(12, KEYS, { weights: table([4, 1, 1]), caps: table([2, 3, 9]) }), table([2, 3, 7]));
  assert.deepEqual(
    apportion(12, KEYS, { weights: table([4, 1, 1]), caps: table([2, 3, 4]) }),
    table([2, 3, 4]),
    "the rest is kept",
  );
  assert.deepEqual(apportion(6, KEYS, { weights: table([1, 0, 1]) }), table([3, 0, 3]), "no weight, no part");
});

Deno.test("parts are whole, within caps, and add up to all that caps allow", () => {
  const three = (max: number) => fc.array(fc.integer({ min: 1, max }), { minLength: 3, maxLength: 3 });
  fc.assert(fc.property(fc.nat(200), three(50), three(90), (total, weights, caps) => {
    const parts = apportion(total, KEYS, { weights: table(weights), caps: table(caps) });
    const values = KEYS.map((key) => parts[key]);
    assert.ok(values.every((value, i) => Number.isInteger(value) && value >= 0 && value <= caps[i]!));
    assert.equal(values[0]! + values[1]! + values[2]!, Math.min(total, caps[0]! + caps[1]! + caps[2]!));
  }));
});

Deno.test("committeeMean() is the mean over agents, option by option", () => {
  assert.deepEqual(committeeMean([[0.25, 0.75, 0], [0.75, 0, 0.25], [0.5, 0, 0.5]]), [0.5, 0.25, 0.25]);
  assert.deepEqual(committeeMean([[1, 0]]), [1, 0]);
});
