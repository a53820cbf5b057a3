import { fileURLToPath } from "node:url";
import type { ChatModel } from "../model/chat_model.ts";
import { recording } from "../model/replay.ts";
import type { ModelCall } from "../schema/model_call.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import type { StationRun } from "../station/reread.ts";
import { type Ruleset, runStation } from "../station/run_station.ts";
import { summarise } from "../station/summary.ts";
import { provenance } from "./provenance.ts";
import { readStationFolder } from "./read_station_folder.ts";
import { runFolder } from "./run_plan.ts";
import { incomplete, rulesetFolder, runStationBatch } from "./station_batch.ts";
import type { StationCouncil } from "./station_council.ts";

/** A finished run in memory: events, calls and the summary made of them. */
export interface CollectedStation extends StationRun {
  readonly summary: StationSummary;
}

export interface CollectStationOptions {
  readonly council: StationCouncil;
  readonly ruleset: Ruleset;
  readonly seeds: readonly number[];
  /** Runs on each seed, with dice of their own; 1 by default. */
  readonly replicates?: number | undefined;
  /** Folder of the runs of a live council; by default `data/live/station/`. */
  readonly out?: string | undefined;
}

const DATA = new URL("../../data/", import.meta.url);

/**
 * Runs the station, in the order of seeds and replicates. Programs play in memory. What a live council says is paid for, so
 * its runs stand in folders, as `runStationBatch` makes them, and are read from there: asking again resumes them.
 *
 * @throws {UserError} where the endpoint left runs open: call again to resume them.
 */
export async function collectStation(options: CollectStationOptions): Promise<CollectedStation[]> {
  const { council, ruleset, seeds, replicates = 1 } = options;
  if (council.live) return await collectLive(options);
  const runs: CollectedStation[] = [];
  const made = provenance();
  for (const seed of seeds) {
    for (let replicate = 0; replicate < replicates; replicate++) {
      const calls: ModelCall[] = [];
      const chat: ChatModel | "none" = council.chat === "none"
        ? "none"
        : recording(council.chat, (call) => void calls.push(call));
      const { model, temperature, maxTokens } = council;
      const events = await Array.fromAsync(
        runStation({ seed, replicate, ruleset, council: chat, model, temperature, maxTokens }),
      );
      const name = `${council.label}_${rulesetFolder(ruleset)}_seed${seed}`;
      const runId = replicate === 0 ? name : `${name}_r${replicate}`;
      const labels = { runId, model: council.label, synthetic: council.synthetic, made };
      runs.push({ events, calls, summary: summarise(events, labels) });
    }
  }
  return runs;
}

async function collectLive(options: CollectStationOptions): Promise<CollectedStation[]> {
  const { council, ruleset, seeds, replicates } = options;
  const { live, identity } = council;
  const out = options.out ?? fileURLToPath(new URL(runFolder("station", { live, identity }), DATA));
  const folder = `${out.replace(/\/$/, "")}/${rulesetFolder(ruleset)}`;
  const { runs, open } = await runStationBatch({ seeds, rulesets: [ruleset], replicates }, {
    out: folder,
    councils: [council],
  });
  if (open.length > 0) throw incomplete(runs.length, open);
  return await Promise.all(runs.map(async ({ folder, events, summary }) => {
    const { calls } = await readStationFolder(folder);
    return { events, calls, summary };
  }));
}
