// @ts-types="@types/d3-dsv"
import { csvParse } from "d3-dsv";
import { readTable } from "@/record/mod.ts";
import { atMost, type BenchRow } from "./bench_row.ts";

const ROWS = 100_000;

/** A long table of shares, 100,000 rows, read beside the package that parses it. */
export async function benchRecords(): Promise<BenchRow[]> {
  const folder = await Deno.makeTempDir(), file = `${folder}/votes.csv`;
  try {
    await Deno.writeTextFile(file, votes());
    // The table comes first: what the parser leaves behind would count as its memory.
    readTable(file);
    const memory = Deno.memoryUsage().rss / 2 ** 20;
    const [read, parsed] = await mediansInTurn([
      () => Promise.resolve(readTable(file)),
      async () => csvParse(await Deno.readTextFile(file)),
    ]);
    return [
      atMost(1.8, {
        name: `reading ${ROWS.toLocaleString("en")} rows of CSV, beside d3-dsv parsing the file`,
        value: read / parsed,
        unit: "times",
        note: `${read.toFixed(0)} ms, d3-dsv ${parsed.toFixed(0)} ms`,
      }),
      atMost(300, { name: "peak memory of reading it", value: Math.round(memory), unit: "MB" }),
    ];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function votes(): string {
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const [agent, round, run] = [i % 25, Math.floor(i / 25) % 20, Math.floor(i / 500)];
    const shares = [0, 1, 2].map((k) => (run * 7 + round * agent) % 3 === k ? 1 : 0);
    return `${run},${round + 1},agent ${agent},${shares}`;
  });
  return ["run,round,agent,A,B,C", ...rows, ""].join("\n");
}

/** Medians of times in milliseconds, measured in turn, so that a busy machine is no advantage to either. */
async function mediansInTurn(works: readonly (() => Promise<unknown>)[]): Promise<[number, number]> {
  const times = works.map((): number[] => []);
  for (let n = 0; n < 15; n++) {
    for (const [i, work] of works.entries()) {
      const start = performance.now();
      await work();
      times[i]!.push(performance.now() - start);
    }
  }
  return times.map((all) => all.sort((a, b) => a - b)[7]!) as [number, number];
}
