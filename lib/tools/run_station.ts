import { progress } from "../notebook/progress.ts";
import { writeWhole } from "../runs/files.ts";
import type { StationFolderRun } from "../runs/run_station_folder.ts";
import { runFolder } from "../runs/run_plan.ts";
import { loadProviders } from "../runs/scenarios.ts";
import { incomplete, loadStationExperiment, namedSeeds, runStationBatch } from "../runs/station_batch.ts";
import { mappedCouncils, type StationCouncil, stationCouncils } from "../runs/station_council.ts";
import { stationSession } from "../runs/station_session.ts";
import { componentRows, stationRows } from "../runs/station_rows.ts";
import { badArguments, interruptible, logsJson, print, say, wholeNumber, withoutNetwork } from "./command.ts";
import type { LivePlan } from "../runs/live_session.ts";
import { describeTally, type OnCall } from "../runs/tally.ts";
import { councilNamed, liveOptions, type LiveValues } from "./live_flags.ts";
import { checkTables, writeTables } from "./tables.ts";

/** The flags of `run` as far as the station knows them. */
type Flags = LiveValues & {
  readonly replicates?: string | undefined;
  readonly seed?: string | undefined;
  readonly temperature?: string | undefined;
  readonly structured?: string | undefined;
  readonly out?: string | undefined;
  readonly "dry-run"?: boolean | undefined;
  readonly reopen?: boolean | undefined;
  readonly csv?: string | undefined;
  readonly summaries?: string | undefined;
};

/** Who only plans asks nobody, and needs no key. */
const WITHOUT_KEYS = { get: (name: string) => name.endsWith("_API_KEY") ? "never-sent" : Deno.env.get(name) };

/** `run` for an experiment of the station. */
export async function runStationCommand(name: string, flags: Flags): Promise<void> {
  const { out, reopen, csv, summaries, "dry-run": dry } = flags;
  const { rulesets, ...declared } = await loadStationExperiment(name);
  const plan = { rulesets, ...planned(declared.seeds, flags) };
  const council = councilNamed(flags);
  const { map, given, budgetUsd, preflight: asksFirst = true, ...settings } = liveOptions(flags);
  const entries = council === undefined ? declared.councils : [council];
  const named = map ? mappedCouncils(entries, map) : entries;
  const live = { ...settings, providers: await loadProviders() };
  let councils = await stationCouncils(named, dry ? WITHOUT_KEYS : Deno.env, live);
  const outOf = ({ live, identity }: StationCouncil) =>
    (out ?? `data/${runFolder(name, { live, identity })}`).replace(/\/$/, "");
  const session = await stationSession(plan, { councils, out: outOf, given, budgetUsd, providers: live.providers });
  const labels = councils.map(({ label }) => label).join(", ");
  const plans = await session.plan();
  const said = ({ words }: LivePlan) => `${name}: ${session.runs} runs of ${labels}; ${words}; repairs not counted`;
  const budget = dry ? undefined : await session.budget();
  const before = said(plans);
  if (dry) return print(before);
  if (csv !== undefined) await checkTables(csv);
  if (!session.live) await withoutNetwork();
  else {
    say(before);
    councils = await stationCouncils(named, Deno.env, { ...live, budget });
  }
  const bar = await progress(name, session.live ? plans.calls : session.runs, { json: logsJson() });
  const onCall: OnCall = (tally, steps) => void bar.advance(steps, { words: describeTally(tally), fields: tally });
  if (session.live) councils = session.watched(councils, onCall);
  try {
    const done = await interruptible(async (signal, callSignal) => {
      if (session.live && asksFirst) {
        await session.preflight(councils, { signal, callSignal, onNotice: say });
        const after = said(await session.plan());
        if (after !== before) say(`after the preflight, ${after}`);
      }
      return await runStationBatch(plan, {
        ...{ councils, signal, callSignal, reopen },
        out: outOf,
        onRun: () => void (session.live || bar.advance()),
        onNotice: say,
      });
    }, { resumes: true, drains: session.live });
    for (const run of done.runs) print(JSON.stringify(line(run)));
    for (const words of await session.audit(done.runs)) say(words);
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
    const spent = session.live ? await session.spent() : undefined;
    if (spent !== undefined) say(`spent so far: ${spent}`);
  }
}

function planned(seeds: "panel" | "heldOut" | readonly number[], { seed, replicates, temperature, structured }: Flags) {
  const degrees = temperature === undefined ? undefined : Number(temperature);
  if (temperature === "" || (degrees !== undefined && !(degrees >= 0 && degrees <= 2))) {
    throw badArguments(`--temperature must be a number from 0 to 2, got "${temperature}"`);
  }
  if (structured !== undefined && structured !== "true" && structured !== "false") {
    throw badArguments(`--structured must be true or false, got "${structured}"`);
  }
  const chosen = typeof seeds === "string" ? namedSeeds(seeds) : seeds;
  return {
    seeds: seed === undefined ? chosen : [wholeNumber("--seed", seed)],
    replicates: replicates === undefined ? 1 : wholeNumber("--replicates", replicates, 1),
    temperature: degrees,
    ...(structured === "true" && { structured: true }),
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
