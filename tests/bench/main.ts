import { runCommand } from "@/commands/main.ts";
import { print } from "@/commands/output.ts";
import type { BenchRow } from "./bench_row.ts";
import { benchCommittees } from "./committees.ts";
import { benchStation } from "./station.ts";
import { benchStatistics } from "./statistics.ts";

const HELP = `
usage: deno task bench

Speed and memory, one line a figure: station runs, surrogate committees in memory and with ledgers on disk, peak memory, and the
statistics beside a vectorised NumPy peer on one thread (Debian: python3-numpy), measured in the same run.
`;

await runCommand({
  name: "bench",
  help: HELP,
  options: {},
  async run() {
    // The station first: its peak memory has the tighter limit, and the peak is the process's.
    for (const bench of [benchStation, benchCommittees, benchStatistics]) {
      for (const row of await bench()) print(lineOf(row));
    }
  },
});

function lineOf({ name, value, unit, target, met, note }: BenchRow): string {
  const judged = target === undefined ? "" : `  (target ${target}: ${met ? "met" : "NOT met"})`;
  const number = Number.isFinite(value) ? `${Number(value.toPrecision(4))} ${unit}` : "not measured";
  return `${name}: ${number}${judged}${note ? `  ${note}` : ""}`;
}
