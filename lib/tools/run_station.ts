import { dirname } from "node:path";
import { UserError } from "../core/user_error.ts";
import { progress } from "../notebook/progress.ts";
import { writeWhole } from "../runs/files.ts";
import type { StationFolderRun } from "../runs/run_station_folder.ts";
import { stationRequests } from "../runs/plan_station.ts";
import { promptText } from "../runs/prompts.ts";
import { runFolder } from "../runs/run_plan.ts";
import { loadProviders } from "../runs/scenarios.ts";
import { incomplete, loadStationExperiment, namedSeeds, runStationBatch } from "../runs/station_batch.ts";
import type { StationPlan } from "../runs/station_batch.ts";
import { mappedCouncils, type StationCouncil, stationCouncils } from "../runs/station_council.ts";
import { stationSession } from "../runs/station_session.ts";
import { componentRows, stationRows } from "../runs/station_rows.ts";
import { switches } from "../station/run_station.ts";
import { rulesetName } from "../station/summary.ts";
import { stationsOf } from "../runs/postgres/read_store.ts";
import { sweepStatus } from "../runs/postgres/sweep_status.ts";
import {
  badArguments,
  interruptible,
  logsJson,
  print,
  say,
  textTable,
  wholeNumber,
  withoutNetwork,
} from "./command.ts";
import type { LivePlan } from "../runs/live_session.ts";
import { describeTally, type OnCall } from "../runs/tally.ts";
import { councilNamed, liveOptions, type LiveValues } from "./live_flags.ts";
import { onStore, type StoreWork, sweepFolder } from "./store_flags.ts";
import { checkTables, writeTables } from "./tables.ts";

/** The flags of `run` as far as the station knows them. */
type Flags = LiveValues & {
  readonly replicates?: string | undefined;
  readonly seed?: string | undefined;
  readonly temperature?: string | undefined;
  readonly structured?: string | undefined;
  readonly out?: string | undefined;
  readonly "dry-run"?: boolean | undefined;
  readonly "show-prompts"?: boolean | undefined;
  readonly reopen?: boolean | undefined;
  readonly csv?: string | undefined;
  readonly json?: boolean | undefined;
  readonly summaries?: string | undefined;
  readonly store?: string | undefined;
  readonly sweep?: string | undefined;
  readonly unknown?: string | undefined;
};

/** Who only plans asks nobody, and needs no key. */
const WITHOUT_KEYS = { get: (name: string) => name.endsWith("_API_KEY") ? "never-sent" : Deno.env.get(name) };

/** `run` for an experiment of the station. */
export async function runStationCommand(name: string, flags: Flags): Promise<void> {
  const { out, reopen, csv, "dry-run": dry } = flags;
  const { rulesets, ...declared } = await loadStationExperiment(name);
  const council = councilNamed(flags);
  const store = dry ? undefined : flags.store;
  const sweep = flags.sweep ?? name;
  const { map, given, budgetUsd, maxTokens, reasoningEffort, ...asked } = liveOptions(flags);
  const { preflight: asksFirst = true, ...settings } = asked;
  const plan = { rulesets, maxTokens, reasoningEffort, ...planned(declared.seeds, flags) };
  if (flags["show-prompts"]) return await showPrompts(name, plan);
  const entries = council === undefined ? declared.councils : [council];
  const named = map ? mappedCouncils(entries, map) : entries;
  const live = { ...settings, providers: await loadProviders() };
  let councils = await stationCouncils(named, dry || store !== undefined ? WITHOUT_KEYS : Deno.env, live);
  const outOf = ({ live, identity }: StationCouncil) =>
    store === undefined
      ? (out ?? `data/${runFolder(name, { live, identity })}`).replace(/\/$/, "")
      : sweepFolder(sweep);
  const session = await stationSession(plan, { councils, out: outOf, given, budgetUsd, providers: live.providers });
  const labels = councils.map(({ label }) => label).join(", ");
  const plans = await session.plan();
  const said = ({ words }: LivePlan) => `${name}: ${session.runs} runs of ${labels}; ${words}; repairs not counted`;
  if (store !== undefined) {
    say(said(plans));
    const preflight = session.live
      ? async (signal: AbortSignal) => {
        const opened = await stationCouncils(named, Deno.env, { ...live, budget: await session.budget() });
        await session.preflight(opened, { signal, onNotice: say });
      }
      : undefined;
    const { seeds, replicates, temperature, structured } = plan;
    const seed = flags.seed === undefined ? undefined : seeds[0];
    const asked = { temperature, structured };
    return await runFromStore(store, { ...flags, sweep, wanted: name, council, preflight, replicates, seed, asked });
  }
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
    await report(done.runs, flags);
    for (const words of await session.audit(done.runs)) say(words);
    if (done.open.length > 0) throw incomplete(done.runs.length, done.open);
  } finally {
    await bar.finish();
    const spent = session.live ? await session.spent() : undefined;
    if (spent !== undefined) say(`spent so far: ${spent}`);
  }
}

type Reported = Pick<Flags, "csv" | "json" | "summaries">;

/** The runs as a table for people. */
export function stationTable(runs: readonly Run[]): string {
  const rows = runs.map(({ runId, summary: { ruleset, fallback_actions, stabilized, q, classification } }) => [
    ...[runId, ruleset, String(fallback_actions), stabilized ? "yes" : "no", q.toFixed(3), classification],
  ]);
  const folders = [...new Set(runs.flatMap(({ folder }) => folder === undefined ? [] : dirname(folder)))];
  const next = folders.map((folder) => `\nnext: deno task score ${folder} --weights equal`).join("");
  return `${textTable([["run", "rules", "by the clerk", "stabilized", "q", "class"], ...rows])}${next}`;
}

/** Prints what every role is sent in rounds 1 and 4; the words and deeds of others are a persona's. */
async function showPrompts(name: string, { rulesets, seeds: [seed], ...plan }: StationPlan): Promise<void> {
  for (const ruleset of rulesets) {
    const asked = await stationRequests({ ...plan, ruleset, seed });
    const shown = [...asked.slice(0, 6), ...asked.slice(18, 24)].map(({ role, request: { messages } }, i) =>
      promptText({ round: i < 6 ? 1 : 4, label: role, model: rulesetName(switches(ruleset)), messages })
    );
    print([`# ${name}, seed ${seed}`, ...shown].join("\n\n"));
  }
}

type Run = Pick<StationFolderRun, "runId" | "summary" | "events"> & { readonly folder?: string };

/** Prints what came of the runs, and writes tables and summaries. */
async function report(runs: readonly Run[], { csv, json, summaries }: Reported): Promise<void> {
  if (json || !Deno.stdout.isTerminal()) { for (const run of runs) print(JSON.stringify(line(run))); }
  else print(stationTable(runs));
  if (csv !== undefined) {
    const components = componentRows(runs.map(({ summary }) => summary));
    await writeTables(csv, { station: stationRows(runs), components });
  }
  if (summaries !== undefined) {
    writeWhole(summaries, runs.map(({ summary }) => `${JSON.stringify(summary)}\n`).join(""));
  }
}

/** The runs of an experiment from a store's queue, here and on other machines. */
async function runFromStore(
  url: string,
  { csv, json, reopen, summaries, ...work }: StoreWork & Reported & Pick<Flags, "reopen">,
): Promise<void> {
  const { sweep } = work;
  if (reopen) throw badArguments("--reopen is for folders: gather the sweep, and run on its folder with --reopen");
  if (!sweep.startsWith("station-")) throw badArguments(`--sweep must begin with station-, got "${sweep}"`);
  if (csv !== undefined) await checkTables(csv);
  await onStore(url, work, async (database) => {
    await report(await stationsOf(database, sweep), { csv, json, summaries });
    const { runs: { open, flagged } } = await sweepStatus(database, sweep);
    if (open + flagged === 0) return;
    throw new UserError(
      `${open + flagged} runs are missing: ${open} stay open, and the same command goes on with them; ` +
        `${flagged} were closed because nobody knows what became of a call`,
    );
  });
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

const line = ({ runId, folder, summary }: Run) => ({
  run: runId,
  ruleset: summary.ruleset,
  synthetic: summary.synthetic,
  fallback_actions: summary.fallback_actions,
  stabilized: summary.stabilized,
  q: Number(summary.q.toFixed(3)),
  classification: summary.classification,
  folder,
});
