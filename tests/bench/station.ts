import type { ChatModel } from "@/model/chat_model.ts";
import { stationPersona } from "@/model/station/station_persona.ts";
import { runStation } from "@/station/run_station.ts";
import { summarise } from "@/station/summary.ts";
import { atLeast, type BenchRow, peakMB, secondsOf } from "./bench_row.ts";

const LABELS = { runId: "bench", model: "bench", synthetic: true, made: { library: "bench", deno: Deno.version.deno } };

/** Whole runs with their summaries, in memory on one core; prompt size; memory of many runs. */
export async function benchStation(): Promise<BenchRow[]> {
  const sizes: number[] = [];
  const persona = stationPersona("coalition");
  const sized: ChatModel = (request, options) => {
    sizes.push(request.messages.reduce((sum, { content }) => sum + content.length, 0));
    return persona(request, options);
  };
  await runs(sized, 5);
  const governed = await rate("station, surrogate council", { council: persona, count: 200, target: 500 });
  const bare = await rate("station, no model", { council: "none", count: 1000, target: 3000 });
  const before = peakMB();
  await runs("none", 10_000);
  const after = peakMB();
  const meanSize = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  return [
    governed,
    bare,
    {
      name: "10,000 no-model runs: peak memory of this process",
      value: after,
      unit: "MB",
      target: "< 300",
      met: after < 300,
      note: `${before.toFixed(0)} MB before them`,
    },
    { name: "station prompt", value: meanSize, unit: "characters a call", note: `largest ${Math.max(...sizes)}` },
  ];
}

/** Passes, after one that warms up. */
const PASSES = 4;

async function rate(
  name: string,
  { council, count, target }: { council: ChatModel | "none"; count: number; target: number },
): Promise<BenchRow> {
  const rates: number[] = [];
  for (let pass = 0; pass <= PASSES; pass++) {
    rates.push(count / await secondsOf(() => runs(council, count)));
  }
  const warm = rates.slice(1);
  const note = `best of ${PASSES}, worst ${Math.round(Math.min(...warm))}`;
  return atLeast(target, { name, value: Math.max(...warm), unit: "runs/s", note });
}

async function runs(council: ChatModel | "none", count: number): Promise<void> {
  for (let seed = 1; seed <= count; seed++) {
    summarise(await Array.fromAsync(runStation({ seed: 10_000 + seed, ruleset: "v2", council })), LABELS);
  }
}
