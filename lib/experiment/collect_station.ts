import type { ChatModel } from "../model/chat_model.ts";
import { recording } from "../model/recording.ts";
import type { ModelCall } from "../schema/model_call.ts";
import type { StationEvent } from "../schema/station_event.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import type { StationRun } from "../station/reread.ts";
import { RULES } from "../station/rules.ts";
import { rulesetName, summarise } from "../station/summary.ts";
import { type Ruleset, runStation, switches } from "../station/run_station.ts";
import { provenance } from "../storage/provenance.ts";
import type { StationCouncil } from "./station_councils.ts";

/** A finished run in memory: events, calls and the summary made of them. */
export interface CollectedStation extends StationRun {
  readonly summary: StationSummary;
}

/** Runs the station in memory, one run a seed, in the order of the seeds. */
export async function collectStation(
  { council, ruleset, seeds }: { council: StationCouncil; ruleset: Ruleset; seeds: readonly number[] },
): Promise<CollectedStation[]> {
  const runs: CollectedStation[] = [];
  const made = provenance();
  for (const seed of seeds) {
    const calls: ModelCall[] = [];
    const chat: ChatModel | "none" = council.chat === "none"
      ? "none"
      : recording(council.chat, (call) => void calls.push(call));
    const events: StationEvent[] = await Array.fromAsync(
      runStation({ seed, ruleset, council: chat, model: council.model }),
    );
    const runId = `${council.label}_${rulesetName(switches(ruleset)).replace(/\W+/g, "-")}_seed${seed}`;
    const labels = { runId, model: council.label, synthetic: council.synthetic, made };
    runs.push({ events, calls, summary: summarise(events, labels) });
  }
  return runs;
}

/** A named set of seeds from the rules: the paper's panel, or the seeds held out. */
export function namedSeeds(name: "panel" | "heldOut"): number[] {
  const { panel, heldOut: [from, to] } = RULES.seeds;
  return name === "panel" ? [...panel] : Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
