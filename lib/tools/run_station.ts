import { progress } from "../notebook/progress.ts";
import { writeWhole } from "../runs/files.ts";
import { describeCost, describeTokens, planStation } from "../runs/plan_calls.ts";
import type { StationFolderRun } from "../runs/run_station_folder.ts";
import { runFolder } from "../runs/run_plan.ts";
import { loadLineups } from "../runs/scenarios.ts";
import { incomplete, loadStationExperiment, namedSeeds, runStationBatch } from "../runs/station_batch.ts";
import { stationCouncils } from "../runs/station_council.ts";
import { componentRows, stationRows } from "../runs/station_rows.ts";
import { badArguments, interruptible, print, say, wholeNumber, withoutNetwork } from "./command.ts";
import { liveOptions } from "./live_flags.ts";
import { checkTables, writeTables } from "./tables.ts";

/** The flags of `run` as far as the station knows them. */
type Flags = Parameters<typeof liveOptions>[0] & {
  readonly council?: string | undefined;
  readonly replicates?: string | undefined;
  readonly seed?: string | undefined;
  readonly temperature?: string | undefined;
  readonly out?: string | undefined;
  readonly "dry-run"?: boolean | undefined;
  readonly reopen?: boolean | undefined;
  readonly csv?: string | undefined;
  readonly summaries?: string | undefined;
};

/** A dry run asks nobody: it needs no key. */
const NO_ENDPOINT = new Map([["OPENAI_API_KEY", "never sent"]]);

/** `run` for an experiment of the station. */
export async function runStationCommand(name: string, flags: Flags): Promise<void> {
  const { out, reopen, csv, summaries, "dry-run": dry } = flags;
  const { rulesets, ...declared } = await loadStationExperiment(name);
  const plan = { rulesets, ...planned(declared.seeds, flags) };
  const named = flags.council === undefined ? declared.councils : [flags.council];
  const councils = await stationCouncils(named, dry ? NO_ENDPOINT : Deno.env, liveOptions(flags));
  const live = councils.some((council) => council.live);
  if (!live) await withoutNetwork();
  const asked = councils.filter(({ chat }) => chat !== "none");
  const once = plan.seeds.length * rulesets.length;
  const runs = once * (councils.length - asked.length + asked.length * plan.replicates);
  const { prices } = await loadLineups();
  const each = { ruleset: rulesets[0]!, runs: once * plan.replicates, prices };
  const cost = await planStation(asked.map(({ model }) => model), each);
  const labels = councils.map(({ label }) => label).join(", ");
  const words = `${name}: ${runs} runs of ${labels}; ${
    live ? describeCost(cost) : describeTokens(cost)
  }, before repairs`;
  if (dry) return print(words);
  if (csv !== undefined) await checkTables(csv);
  if (live) say(words);
  const bar = await progress(name, runs);
  try {
    const done = await interruptible((signal) =>
      runStationBatch(plan, {
        ...{ councils, signal, reopen },
        out: ({ live, identity }) => (out ?? `data/${runFolder(name, { live, identity })}`).replace(/\/$/, ""),
        onRun: () => void bar.advance(),
        onNotice: say,
      })
    );
    for (const run of done.runs) print(JSON.stringify(line(run)));
    if (csv !== undefined) {
      const components = componentRows(done.runs.map(({ summary }) => summary));
      await writeTables(csv, { station: stationRows(done.runs), components });
    }
    if (summaries !== undefined) {
      writeWhole(summaries, done.runs.map(({ summary }) => `${JSON.stringify(summary)}\n`).join(""));
    }
    if (done.open.length > 0) throw incomplete(done.runs.length, done.open);
  } finally {
    await bar.finish();
  }
}

function planned(seeds: "panel" | "heldOut" | readonly number[], { seed, replicates, temperature }: Flags) {
  const degrees = temperature === undefined ? undefined : Number(temperature);
  if (temperature === "" || (degrees !== undefined && !(degrees >= 0 && degrees <= 2))) {
    throw badArguments(`--temperature must be a number from 0 to 2, got "${temperature}"`);
  }
  const chosen = typeof seeds === "string" ? namedSeeds(seeds) : seeds;
  return {
    seeds: seed === undefined ? chosen : [wholeNumber("--seed", seed)],
    replicates: replicates === undefined ? 1 : wholeNumber("--replicates", replicates, 1),
    temperature: degrees,
  };
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
