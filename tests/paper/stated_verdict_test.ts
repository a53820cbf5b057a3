import assert from "node:assert/strict";
import { statedVerdict, verdictWords } from "@/paper/stated_effects.ts";

const POSITIVE = { sign: "positive" } as const;
const NOT_POSITIVE = { sign: "near zero or negative" } as const;

for (
  const [stated, effect, sign] of [
    [POSITIVE, { delta: 0.01, low: -0.01, high: 0.03 }, "as stated"],
    [POSITIVE, { delta: 0.01 }, "as stated"],
    [POSITIVE, { delta: 0, low: -0.01, high: 0.01 }, "other than stated"],
    [POSITIVE, { delta: -0.01, low: -0.03, high: 0.01 }, "other than stated"],
    [POSITIVE, {}, "no estimate"],
    [NOT_POSITIVE, { delta: 0.01, low: -0.01, high: 0.03 }, "as stated"],
    [NOT_POSITIVE, { delta: 0.01, low: 0, high: 0.03 }, "as stated"],
    [NOT_POSITIVE, { delta: 0.01, low: 0.001, high: 0.03 }, "other than stated"],
    [NOT_POSITIVE, { delta: 0.01 }, "no estimate"],
    [{ sign: undefined }, { delta: 0.01, low: 0.001, high: 0.03 }, "not stated"],
  ] as const
) {
  Deno.test(`a fall said to be ${stated.sign} and measured as ${JSON.stringify(effect)}: sign ${sign}`, () => {
    assert.equal(statedVerdict({ ...stated, excludes_zero: undefined }, effect).sign, sign);
  });
}

for (
  const [stated, low, high, zero] of [
    [true, 0.01, 0.03, "excludes zero, as stated"],
    [true, -0.03, -0.01, "excludes zero, as stated"],
    [true, -0.01, 0.03, "holds zero, the paper's excludes it"],
    [true, 0, 0.03, "holds zero, the paper's excludes it"],
    [false, -0.01, 0.03, "holds zero, as stated"],
    [false, 0.01, 0.03, "excludes zero, the paper's holds it"],
    [undefined, 0.01, 0.03, "excludes zero, the paper's not stated"],
    [undefined, -0.01, 0.03, "holds zero, the paper's not stated"],
    [true, undefined, undefined, "no interval"],
  ] as const
) {
  Deno.test(`an interval ${low} to ${high}, the paper's said to exclude zero: ${stated}: ${zero}`, () => {
    assert.equal(statedVerdict({ ...POSITIVE, excludes_zero: stated }, { delta: 0.01, low, high }).zero, zero);
  });
}

Deno.test("verdictWords() is one line that leaves out what is not compared", () => {
  const words = (sign: "as stated" | "no estimate", zero: Parameters<typeof verdictWords>[0]["zero"]) =>
    verdictWords({ sign, zero });
  assert.equal(words("as stated", "holds zero, as stated"), "sign as stated; interval holds zero, as stated");
  assert.equal(words("as stated", "holds zero, the paper's not stated"), "sign as stated; interval holds zero");
  assert.equal(words("no estimate", "no interval"), "no estimate; no interval");
});
