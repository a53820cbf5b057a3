import process from "node:process";
import { collectRuns } from "@/runs/collect_runs.ts";
import { surrogateCouncil } from "@/live/council.ts";
import { loadCondition } from "@/live/load_condition.ts";
import { runExperiment } from "@/live/run_experiment.ts";
import { loadExperiment } from "@/live/scenarios.ts";
import { atLeast, type BenchRow } from "./bench_row.ts";

const EXPERIMENT = "two-routes";
/** Passes of the experiment, after one that warms up. */
const PASSES = 5;

/** HL-01's four cells at R = 20 on the surrogate: 80 runs, 8,480 calls; in memory, with ledgers, and the memory used. */
export async function benchCommittees(): Promise<BenchRow[]> {
  const council = await surrogateCouncil();
  const { conditions: specs, replicates } = await loadExperiment(EXPERIMENT);
  const conditions = await Promise.all(specs.map((spec) => loadCondition(spec)));
  const runs = conditions.length * replicates;
  const inMemory = async () => {
    for (const condition of conditions) await collectRuns(condition, { chat: council.chat, replicates, seed: 1 });
  };
  const out = await Deno.makeTempDir();
  const onDisk = async () => void await runExperiment(EXPERIMENT, { council, out, fresh: true });
  try {
    const memoryRate = runs / await medianSeconds(inMemory);
    const diskRate = runs / await medianSeconds(onDisk);
    const peak = peakMegabytes();
    const name = `${runs} surrogate runs of HL-01, ${runs * 106} calls`;
    return [
      atLeast(400, { name: `${name}, in memory`, value: memoryRate, unit: "runs/s" }),
      atLeast(300, { name: `${name}, ledgers written and synced`, value: diskRate, unit: "runs/s" }),
      { name: "peak memory of this process so far", unit: "MB", ...peak },
    ];
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

async function medianSeconds(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let pass = 0; pass <= PASSES; pass++) {
    const begin = performance.now();
    await work();
    if (pass > 0) times.push((performance.now() - begin) / 1000);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(PASSES / 2)]!;
}

/** High-water mark of resident memory of this process. */
function peakMegabytes(): Pick<BenchRow, "value" | "target" | "met"> {
  const value = process.resourceUsage().maxRSS / 1000;
  return { value, target: "< 400", met: value < 400 };
}
