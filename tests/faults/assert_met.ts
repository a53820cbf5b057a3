import assert from "node:assert/strict";
import { type BenchRow, lineOf } from "../bench/bench_row.ts";

/** That every figure of a study is what it should be. */
export async function assertMet(study: Promise<BenchRow[]>): Promise<void> {
  const rows = await study;
  assert.ok(rows.some(({ met }) => met !== undefined));
  assert.deepEqual(rows.filter(({ met }) => met === false).map(lineOf), []);
}
