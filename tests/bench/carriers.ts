import { ablateRole, ABLATIONS, fallbackAttribution, losingSlots } from "@/lab/runs/ablate_station.ts";
import { collectStation } from "@/lab/runs/collect_station.ts";
import { stationCouncil } from "@/lab/live/station_council.ts";
import { COUNCIL } from "@/schema/station_ids.ts";
import { atMost, type BenchRow, secondsOf } from "./bench_row.ts";

const seedsFrom = (count: number) => Array.from({ length: count }, (_, i) => 1000 + i);

/** The whole grid of ablations of one council, and of attributions of its lost slots; in memory, on one core. */
export async function benchCarriers(): Promise<BenchRow[]> {
  const council = stationCouncil("auditor", new Map()), ruleset = "v2";
  const ablations = COUNCIL.flatMap((role) => ABLATIONS.map((what) => ablateRole(council, role, what)));
  let ablated = 0, attributed = 0;
  const ablation = await secondsOf(async () => {
    for (const of of [council, ...ablations]) {
      ablated += (await collectStation({ council: of, ruleset, seeds: seedsFrom(90), replicates: 2 })).length;
    }
  });
  const contamination = await secondsOf(async () => {
    // At three quarters every role loses a slot: 64 sets of clerks and the council itself a run.
    for (const run of await collectStation({ council: losingSlots(council, 0.75), ruleset, seeds: seedsFrom(72) })) {
      const { shares } = await fallbackAttribution(run, council);
      attributed += 2 + 2 ** Object.keys(shares).length;
    }
  });
  return [
    atMost(45, { name: `ablations of the station, ${ablated} runs, one core`, value: ablation, unit: "s" }),
    atMost(60, { name: `lost slots attributed, ${attributed} runs, one core`, value: contamination, unit: "s" }),
  ];
}
