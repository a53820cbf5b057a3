import process from "node:process";
import type { BenchRow } from "./bench_row.ts";
import { benchCommittees } from "./committees.ts";
import { benchStatistics } from "./statistics.ts";

/** Committees first: their peak memory is the process's. */
for (const bench of [benchCommittees, benchStatistics]) {
  for (const row of await bench()) process.stdout.write(`${lineOf(row)}\n`);
}

function lineOf({ name, value, unit, target, met, note }: BenchRow): string {
  const judged = target === undefined ? "" : `  (target ${target}: ${met ? "met" : "NOT met"})`;
  const number = Number.isFinite(value) ? `${Number(value.toPrecision(4))} ${unit}` : "not measured";
  return `${name}: ${number}${judged}${note ? `  ${note}` : ""}`;
}
