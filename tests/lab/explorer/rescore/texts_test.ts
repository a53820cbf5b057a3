import fc from "fast-check";
import assert from "node:assert/strict";
import { changeTexts, classesText, decimals, intervalText } from "@/lab/explorer/rescore/texts.ts";

Deno.test("an interval is written so that it holds what is meant, and no wider than a digit", () => {
  const unit = fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => millionths / 1_000_000);
  fc.assert(fc.property(unit, unit, (a, b) => {
    const [low, high] = [Math.min(a, b), Math.max(a, b)];
    const written = intervalText({ low, high }).split("–").map(Number);
    if (low === high) return assert.ok(Math.abs(written[0]! - low) <= 0.0005 + 1e-9);
    const [from, to] = [written[0]!, written.at(-1)!];
    assert.ok(from <= low + 2e-9 && from > low - 0.001 - 1e-9, `${from} for ${low}`);
    assert.ok(to >= high - 2e-9 && to < high + 0.001 + 1e-9, `${to} for ${high}`);
  }));
});

Deno.test("binary dust adds no digit to a bound", () => {
  // 0.7 + 0.1 is a last digit below 0.8, 1.1 − 0.2 one above 0.9.
  assert.equal(intervalText({ low: 0.7 + 0.1, high: 1.1 - 0.2 }), "0.800–0.900");
});

Deno.test("weights are written in two decimals, or in three where they need them", () => {
  assert.deepEqual([0.7, 1 / 9, 0, 1, 0.05, 0.825].map(decimals), ["0.70", "0.111", "0.00", "1.00", "0.05", "0.825"]);
});

Deno.test("a change has a sign to see and words to hear", () => {
  assert.deepEqual(changeTexts({ kind: "same", least: 0, most: 0 }), { sign: "·", words: "rank unchanged" });
  assert.deepEqual(changeTexts({ kind: "up", least: 2, most: 2 }), { sign: "▲ 2", words: "up by 2" });
  assert.deepEqual(changeTexts({ kind: "down", least: -9, most: -2 }), { sign: "▼ 2–9", words: "down by 2 to 9" });
  assert.deepEqual(changeTexts({ kind: "undecided", least: -12, most: 3 }), {
    sign: "−12…+3",
    words: "undecided: up by at most 3, down by at most 12, or unchanged",
  });
  assert.equal(changeTexts({ kind: "undecided", least: -4, most: 0 }).sign, "−4…0");
});

Deno.test("classes are named from the lowest to the highest", () => {
  assert.equal(classesText([]), "unknown");
  assert.equal(classesText(["BENCHMARK_STRONG"]), "strong");
  assert.equal(classesText(["BENCHMARK_ADEQUATE", "BENCHMARK_STRONG"]), "adequate or strong");
  assert.equal(classesText(["BENCHMARK_BRITTLE", "BENCHMARK_ADEQUATE", "BENCHMARK_STRONG"]), "brittle to strong");
});
