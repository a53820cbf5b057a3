import { collectRuns } from "@/lab/runs/collect_runs.ts";
import { surrogateCouncil } from "@/lab/live/council.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { runExperiment } from "@/lab/live/run_experiment.ts";
import { loadExperiment } from "@/lab/live/scenarios.ts";
import { atLeast, type BenchRow, peakMB, secondsOf } from "./bench_row.ts";

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
    const peak = peakMB();
    const name = `${runs} surrogate runs of HL-01, ${runs * 106} calls`;
    return [
      atLeast(400, { name: `${name}, in memory`, value: memoryRate, unit: "runs/s" }),
      atLeast(300, { name: `${name}, ledgers written and synced`, value: diskRate, unit: "runs/s" }),
      { name: "peak memory of this process so far", value: peak, unit: "MB", target: "< 400", met: peak < 400 },
    ];
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

async function medianSeconds(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let pass = 0; pass <= PASSES; pass++) {
    const seconds = await secondsOf(work);
    if (pass > 0) times.push(seconds);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(PASSES / 2)]!;
}
