import assert from "node:assert/strict";
import { studentT, studentTBound } from "@/stats/student_t.ts";

/** Two-sided 95 % and 99 % points of the printed table. */
const TABLE: readonly (readonly [freedom: number, p95: number, p99: number])[] = [
  [1, 12.706, 63.657],
  [2, 4.303, 9.925],
  [3, 3.182, 5.841],
  [4, 2.776, 4.604],
  [5, 2.571, 4.032],
  [19, 2.093, 2.861],
];

Deno.test("studentTBound() gives the points of the printed table", () => {
  for (const [freedom, p95, p99] of TABLE) {
    assert.equal(studentTBound(0.95, freedom).toFixed(3), p95.toFixed(3), `${freedom}`);
    assert.equal(studentTBound(0.99, freedom).toFixed(3), p99.toFixed(3), `${freedom}`);
  }
});

Deno.test("studentT() of one and of two degrees of freedom has its closed form, and is symmetric", () => {
  for (const t of [-30, -2, -0.3, 0, 0.7, 1.9, 12]) {
    assert.ok(Math.abs(studentT(t, 1) - (1 / 2 + Math.atan(t) / Math.PI)) < 1e-15);
    assert.ok(Math.abs(studentT(t, 2) - (1 / 2 + t / (2 * Math.sqrt(2 + t * t)))) < 1e-15);
    for (const freedom of [3, 4, 19]) assert.ok(Math.abs(studentT(t, freedom) + studentT(-t, freedom) - 1) < 1e-14);
  }
});
