import assert from "node:assert/strict";
import { numbers, quantities } from "./quantities.ts";

Deno.test("quantities() reads one quantity alike in every notation", () => {
  assert.deepEqual(quantities("18 thousand of 14.2 million, 44 in 100, for five years."), [
    "14.2 million",
    "18,000",
    "44 percent",
    "5",
  ]);
  assert.deepEqual(quantities("18,000 of 14.2 million; 44 percent; 5 years"), [
    "14.2 million",
    "18,000",
    "44 percent",
    "5",
  ]);
  assert.deepEqual(quantities("Seven, 7, and seventy"), ["7", "7"]);
  assert.deepEqual(quantities("40 points, 35, 25."), ["25", "35", "40"]);
});

Deno.test("numbers() gives values in order", () => {
  assert.deepEqual(numbers("88,000 people, 5.5 percent. Then 1,600,000."), [88_000, 5.5, 1_600_000]);
  assert.deepEqual(numbers("none"), []);
});
