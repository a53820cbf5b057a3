import { surrogateCouncil } from "@/lab/live/council.ts";
import { collectRuns } from "@/lab/runs/collect_runs.ts";
import { collectStation } from "@/lab/runs/collect_station.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { twinRuns } from "@/lab/runs/perturb.ts";
import { listScenarios } from "@/lab/live/scenarios.ts";
import { stationCouncil } from "@/lab/live/station_council.ts";
import { twinDistances, twinSlope } from "@/stats/twin_slope.ts";
import { createRng } from "@/core/rng.ts";
import { STABILITY } from "../makers/seeds/stability_table.ts";
import { atMost, type BenchRow, secondsOf } from "./bench_row.ts";

const PAIRS = 40;
const STATION_RUNS = 3000;

/** The twin test of every scenario, and as many runs of the station's frontier; in memory, on one core. */
export async function benchTwins(): Promise<BenchRow[]> {
  const council = await surrogateCouncil();
  const scenarios = await listScenarios();
  const twins = await secondsOf(async () => {
    for (const { id } of scenarios) {
      const condition = await loadCondition({ scenario: id });
      const study = await collectRuns(condition, { chat: council.chat, replicates: PAIRS, seed: 1 });
      const { pairs } = await twinRuns(study, { council, seed: 1 });
      const paths = (["run", "twin"] as const).map((which) => pairs.map((pair) => pair[which].means));
      twinSlope(twinDistances(paths[0]!, paths[1]!, { changed: 2 }), { rng: createRng(1) });
    }
  });
  const { councils, shares, replicates } = STABILITY;
  const each = STATION_RUNS / (councils.length * shares.length * replicates);
  const seeds = Array.from({ length: each }, (_, i) => 1000 + i);
  let runs = 0;
  const frontier = await secondsOf(async () => {
    for (const name of councils) {
      const council = stationCouncil(name, new Map());
      for (const ownDice of shares) {
        runs += (await collectStation({ council, ruleset: "v2", seeds, replicates, ownDice })).length;
      }
    }
  });
  return [
    atMost(60, {
      name: `twin test, ${scenarios.length} scenarios x ${PAIRS} twins, one core`,
      value: twins,
      unit: "s",
    }),
    atMost(45, { name: `the station's frontier, ${runs} runs, one core`, value: frontier, unit: "s" }),
  ];
}
