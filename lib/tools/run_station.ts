import { UserError } from "../core/user_error.ts";
import { progress } from "../notebook/progress.ts";
import { stationCouncil } from "../runs/collect_station.ts";
import { writeWhole } from "../runs/files.ts";
import { describeCost, describeTokens, planStation } from "../runs/plan_calls.ts";
import { loadStationExperiment, runStationExperiment, stationPlan } from "../runs/run_station_experiment.ts";
import type { StationFolderRun } from "../runs/run_station_folder.ts";
import { loadLineups } from "../runs/scenarios.ts";
import { componentRows, stationRows } from "../runs/station_rows.ts";
import { interruptible, print, say, wholeNumber } from "./command.ts";
import { checkTables, writeTables } from "./tables.ts";

/** The flags of `run` as far as the station knows them. */
interface Flags {
  readonly council?: string | undefined;
  readonly replicates?: string | undefined;
  readonly seed?: string | undefined;
  readonly out?: string | undefined;
  readonly "dry-run"?: boolean | undefined;
  readonly csv?: string | undefined;
  readonly summaries?: string | undefined;
}

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
  const { runs, councils, rulesets } = stationPlan(await loadStationExperiment(name), { council, seeds });
  for (const one of councils) if (!isLive(one)) stationCouncil(one, Deno.env);
  const asked = councils.filter((one) => one !== "none");
  const live = asked.filter(isLive);
  const { prices } = await loadLineups();
  const cost = await planStation(asked.map(modelOf), { ruleset: rulesets[0]!, runs: runs / councils.length, prices });
  const words = live.length > 0 ? describeCost(cost) : describeTokens(cost);
  const plan = `${name}: ${runs} runs of ${councils.join(", ")}; ${words}, before repairs`;
  if (flags["dry-run"]) return print(plan);
  if (flags.csv !== undefined) await checkTables(flags.csv);
  if (live.length > 0) say(plan);
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
    if (flags.csv !== undefined) {
      const components = componentRows(results.map(({ summary }) => summary));
      await writeTables(flags.csv, { station: stationRows(results), components });
    }
    if (flags.summaries !== undefined) {
      writeWhole(flags.summaries, results.map(({ summary }) => `${JSON.stringify(summary)}\n`).join(""));
    }
  } finally {
    await bar.finish();
  }
}

const isLive = (council: string): boolean => council.startsWith("live:");

const modelOf = (council: string): string => council.replace(/^live:/, "");

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
