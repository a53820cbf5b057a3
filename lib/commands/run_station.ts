import { UserError } from "../core/user_error.ts";
import { loadStationExperiment, runStationExperiment, stationPlan } from "../experiment/run_station_experiment.ts";
import { stationCouncil } from "../experiment/station_councils.ts";
import type { StationFolderRun } from "../experiment/station_run.ts";
import { progress } from "../notebook/progress.ts";
import { writeWhole } from "../storage/station_write_whole.ts";
import { interruptible } from "./interruptible.ts";
import { print, say } from "./output.ts";
import { wholeNumber } from "./whole_number.ts";

/** The flags of `run` as far as the station knows them. */
interface Flags {
  readonly council?: string | undefined;
  readonly replicates?: string | undefined;
  readonly seed?: string | undefined;
  readonly out?: string | undefined;
  readonly "dry-run"?: boolean | undefined;
  readonly summaries?: string | undefined;
}

/** A model's calls in one run without repairs: six roles, six rounds. */
const CALLS = 36;

/** `run` for an experiment of the station. */
export async function runStationCommand(
  name: string,
  { council, replicates, seed, out, ...flags }: Flags,
): Promise<void> {
  if (replicates !== undefined) {
    throw new UserError("--replicates is not for the station: a seed is one run; its experiments name their seeds", {
      exitCode: 2,
    });
  }
  const seeds = seed === undefined ? undefined : [wholeNumber("--seed", seed)];
  const { runs, councils } = stationPlan(await loadStationExperiment(name), { council, seeds });
  for (const one of councils) if (!one.startsWith("live:")) stationCouncil(one, Deno.env);
  const asking = councils.filter((one) => one !== "none").length / councils.length;
  const plan = `${name}: ${runs} runs of ${councils.join(", ")}; ${
    Math.round(runs * asking) * CALLS
  } calls before repairs`;
  if (flags["dry-run"]) return print(plan);
  if (councils.some((one) => one.startsWith("live:"))) say(plan);
  const bar = await progress(name, runs);
  try {
    const results = await interruptible((signal) =>
      runStationExperiment(name, {
        ...{ council, seeds, signal, env: Deno.env },
        out: (out ?? `data/out/runs/${name}`).replace(/\/$/, ""),
        onRun: () => void bar.advance(),
        onNotice: say,
      })
    );
    for (const result of results) print(JSON.stringify(line(result)));
    if (flags.summaries !== undefined) {
      writeWhole(flags.summaries, results.map(({ summary }) => `${JSON.stringify(summary)}\n`).join(""));
    }
  } finally {
    await bar.finish();
  }
}

const line = ({ runId, folder, summary }: StationFolderRun) => ({
  run: runId,
  ruleset: summary.ruleset,
  synthetic: summary.synthetic,
  fallback_actions: summary.fallback_actions,
  stabilized: summary.stabilized,
  q: Number(summary.q.toFixed(3)),
  classification: summary.classification,
  folder,
});
