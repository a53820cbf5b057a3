import { UserError } from "../core/user_error.ts";
import { type Progress, progress } from "../notebook/progress.ts";
import { conditionName } from "../deliberation/condition_name.ts";
import { type Council, openCouncil } from "../runs/council.ts";
import { isLiveName, type LivePlan, type LiveSession, liveSession } from "../runs/live_session.ts";
import { describePlan } from "../runs/describe_plan.ts";
import { checkOut } from "../runs/files.ts";
import { planExperiment, plannedRuns } from "../runs/plan_calls.ts";
import { type ConditionRuns, runExperiment } from "../runs/run_experiment.ts";
import { planRuns, runFolder, type Wanted } from "../runs/run_plan.ts";
import { prompts, promptText } from "../runs/prompts.ts";
import type { Condition } from "../schema/condition.ts";
import { conditionsOf } from "../runs/postgres/read_store.ts";
import { describeTally, type OnCall } from "../runs/tally.ts";
import { loadExperiments, loadStationExperiments } from "../runs/scenarios.ts";
import {
  badArguments,
  interruptible,
  logAsJson,
  logsJson,
  print,
  runCommand,
  say,
  wholeNumber,
  withoutNetwork,
} from "./command.ts";
import { CONDITION_FLAGS, CONDITION_HELP, conditionGrid, givenFlags } from "./condition_flags.ts";
import { councilNamed, LIVE_FLAGS, LIVE_HELP, liveOptions } from "./live_flags.ts";
import { runStationCommand } from "./run_station.ts";
import { onStore, refuseStrayStoreFlags, STORE_FLAGS, STORE_HELP, sweepFolder } from "./store_flags.ts";
import { report, type ReportSettings } from "./run_report.ts";
import { checkTables } from "./tables.ts";

const HELP = `
usage: deno task run NAME [flags]
       deno task run --scenario ID [flags]
       deno task run              (lists the experiments)

Runs a declared experiment of scenarios/experiments.json, or the conditions that flags describe, one ledger a condition.
What a ledger already holds is not run again: after an interruption the same command resumes.

  --council NAME        surrogate (default), live, live:MODEL (that model in every seat), or replay:PATH (a ledger, a
                        folder of ledgers, or a file of calls; its own models sit in the seats)
                        live needs OPENAI_API_KEY, and OPENAI_BASE_URL for an endpoint other than OpenAI's own; a seat
                        whose model is named PROVIDER:ID asks that provider of scenarios/providers.json, with its key
  --replicates N        runs of each condition (default: the experiment's own number, or 20)
  --seed N              master seed (default: that of the experiment's plan, or 1)
  --out DIR             folder of the ledgers (default: data/out/runs/NAME, or data/out/runs/ad-hoc without a NAME;
                        with --council live, data/live/NAME or data/live/ad-hoc)
  --dry-run             prints what remains: calls, estimated tokens, cost, hours at the providers' limits; runs nothing
  --json                prints one JSON object a condition (for the station one a run), as it does where standard output
                        is no terminal
  --show-prompts        prints what every seat is sent in round 1 and in a later round, with surrogates' replies where those
                        of others will stand; asks and writes nothing
  --log json            writes notices and progress as JSON objects, one a line, on standard error
  --csv FOLDER          also writes the runs as tables: means.csv, agents.csv, divergence.csv and accounting.csv, or for
                        the station station.csv and components.csv; columns.csv beside them says what each column holds.
                        Tables of an earlier command are replaced, other files never

With --council live:
${LIVE_HELP}
  --reopen              takes back, in live runs of older versions, what was booked to a model though the endpoint failed:
                        slots of the station that the clerk filled are asked for again, what stood there is kept beside;
                        a committee's run that a large body ended, which was no reply, is begun anew

On many machines:
${STORE_HELP}

Conditions without a NAME:
${CONDITION_HELP}

For an experiment of the station (station-…) each run has a folder of its own with events, calls, summary and recap,
listed in MANIFEST.tsv. --council is none, a persona, live:MODEL, a model by role such as
live:C1_COMMAND=MODEL,default=MODEL (personas too, without live:), or replay:PATH (the folder of a run or of a batch).
--seed runs that seed alone; --replicates N runs each council N times on a seed, with other dice (default: 1);
--temperature T is that of every call (default: 0.7, or the recording's).

  --summaries FILE      also writes the runs' summaries, one JSON line each, as data/preserved/ holds them

Standard output: a table of the conditions with their runs, what is missing and why, and the slope of ln D.
Exit code 0 when all runs are there that can be had and each condition has two to compare; otherwise 1, with the causes.
examples: deno task run two-routes --replicates 40 --seed 7
          deno task run --scenario IM-01 --temperature 0,0.7 --ablate none,Chair+Equity --replicates 3
`;

const options = {
  council: { type: "string" },
  replicates: { type: "string" },
  seed: { type: "string" },
  out: { type: "string" },
  "dry-run": { type: "boolean", default: false },
  "show-prompts": { type: "boolean", default: false },
  csv: { type: "string" },
  json: { type: "boolean", default: false },
  summaries: { type: "string" },
  reopen: { type: "boolean", default: false },
  log: { type: "string" },
  ...STORE_FLAGS,
  ...LIVE_FLAGS,
  ...CONDITION_FLAGS,
} as const;

async function listExperiments(): Promise<void> {
  for (const [name, { title, shows }] of Object.entries(await loadExperiments())) {
    print(`${name}\n    ${title} (${shows})`);
  }
  for (const [name, { title, shows }] of Object.entries(await loadStationExperiments())) {
    print(`${name}\n    ${title} (${shows})`);
  }
}

interface WorkSettings extends ReportSettings {
  readonly council: Council;
  readonly replicates: number;
  readonly out: string;
  /** Runs in all, continuations among them. */
  readonly total: number;
  /** Of calls, where they are shown one by one. */
  readonly bar?: Progress;
  /** What the progress is called. */
  readonly name: string;
  readonly reopen: boolean;
}

async function work(
  wanted: Wanted,
  { total, bar: calls, name, csv, json, onDone, ...settings }: WorkSettings,
): Promise<void> {
  const bar = calls ?? await progress(name, total, { json: logsJson() });
  const count = (runs: number) => void (calls === undefined && bar.advance(runs));
  try {
    const results = await interruptible((signal, callSignal) =>
      runExperiment(wanted, {
        ...{ ...settings, signal, callSignal },
        onHeld: count,
        onRun: () => count(1),
        onNotice: say,
      }), { resumes: true, drains: settings.council.live });
    await report(results, { csv, json, seed: settings.seed, onDone });
  } finally {
    await bar.finish();
  }
}

type Values = Parameters<Parameters<typeof runCommand<typeof options>>[0]["run"]>[0]["values"];

/** What the line asks to run; undefined where it asks for nothing. Throws a UserError where it asks for two things. */
function wantedBy([name, ...rest]: readonly string[], values: Values): Wanted | undefined {
  // These alone say how a station's council is asked, and not what the experiment is.
  const asked = ["temperature", "structured"];
  const flags = givenFlags(values).filter((flag) => !(asked.includes(flag) && name?.startsWith("station-")));
  if (rest.length > 0) throw new UserError(`one experiment at a time, got also ${rest.join(", ")}`, { exitCode: 2 });
  if (name === undefined) return conditionGrid(values);
  if (flags.length === 0) return name;
  throw new UserError(
    `${name} declares its own conditions, so --${
      flags[0]
    } cannot change it: leave ${name} out to run the conditions of ` +
      "the flags, or declare another experiment in scenarios/experiments.json",
    { exitCode: 2 },
  );
}

async function runCommittees(wanted: Wanted, values: Values): Promise<void> {
  if (values.summaries !== undefined) {
    throw new UserError("--summaries is for the station; a committee's record is its ledger", { exitCode: 2 });
  }
  const { csv, reopen, "dry-run": dry, "show-prompts": shows } = values;
  const named = councilNamed(values) ?? "surrogate";
  if (reopen && !isLiveName(named)) throw badArguments("--reopen is for live runs: add --council live");
  if (reopen && values.store) throw badArguments("--reopen is for folders: gather the sweep, and run on its folder");
  const live = liveOptions(values);
  const stray = (["max-tokens", "reasoning-effort"] as const).find((flag) => values[flag] !== undefined);
  if (stray && named === "surrogate") throw badArguments(`--${stray} is for live councils: add --council live`);
  const plan = await planRuns(wanted);
  const replicates = values.replicates === undefined
    ? plan.replicates
    : wholeNumber("--replicates", values.replicates, 1);
  const seed = wholeNumber("--seed", values.seed ?? String(plan.plan?.seed ?? 1));
  const name = typeof wanted === "string" ? wanted : plan.title;
  const json = values.json || !Deno.stdout.isTerminal();
  const settings = { replicates, seed, total: plannedRuns(plan, replicates), name, csv, json, reopen };
  const sweep = values.sweep ?? plan.folder;
  const store = dry || shows ? undefined : values.store;
  const runFromStore = async (url: string, session?: LiveSession): Promise<void> => {
    const { branch } = plan;
    const preflight = session && (async (signal: AbortSignal) => void await session.open({ signal }));
    const onDone = session && (async (results: readonly ConditionRuns[]) => say(await session.audit(results)));
    const declared = { ...values, sweep, wanted, council: named, replicates, seed, branch, preflight };
    await onStore(url, declared, async (database) => {
      await report(await conditionsOf(database, sweep), { csv, json, seed, onDone });
    });
  };
  if (isLiveName(named)) {
    const out = store === undefined ? values.out : sweepFolder(sweep);
    const asked = { council: named, env: Deno.env, replicates, out, data: "data", reopen, live };
    const session = await liveSession(wanted, asked);
    if (shows) return await showPrompts(session.conditions);
    if (!dry && store === undefined) await session.check();
    const planned = await session.plan();
    if (dry) return print(planned.words);
    if (csv !== undefined) await checkTables(csv);
    say(planned.words);
    return await (store === undefined ? runLive(wanted, session, settings, planned) : runFromStore(store, session));
  }
  if (shows) return await showPrompts(plan.conditions);
  if (dry) return print(describePlan(await planExperiment(wanted, { replicates })));
  if (csv !== undefined) await checkTables(csv);
  if (store !== undefined) return await runFromStore(store);
  const council = await openCouncil(named, Deno.env, live);
  await withoutNetwork();
  const out = (values.out ?? `data/${runFolder(plan.folder, council)}`).replace(/\/$/, "");
  await work(wanted, { ...settings, council, out });
}

async function showPrompts(conditions: readonly Condition[]): Promise<void> {
  for (const condition of conditions) {
    print([`# ${conditionName(condition)}`, ...(await prompts(condition)).map(promptText)].join("\n\n"));
  }
}

/** What a preflight tells is planned with; however the runs end, what they cost and how they went is said. */
async function runLive(
  wanted: Wanted,
  session: LiveSession,
  settings: Omit<WorkSettings, "council" | "out">,
  planned: LivePlan,
): Promise<void> {
  try {
    const bar = await progress(settings.name, planned.calls, { json: logsJson() });
    const onCall: OnCall = (tally, steps) => void bar.advance(steps, { words: describeTally(tally), fields: tally });
    const council = await interruptible((signal, callSignal) => session.open({ signal, callSignal, onCall }), {
      resumes: true,
      drains: true,
    });
    const plan = await session.plan();
    if (plan.words !== planned.words) say(`after the preflight, ${plan.words.split("\n").at(-1)}`);
    const onDone = async (results: readonly ConditionRuns[]) => say(await session.audit(results));
    await work(wanted, { ...settings, council, bar, out: session.out, onDone });
  } finally {
    const spent = await session.spent();
    if (spent !== undefined) say(`spent so far: ${spent}`);
  }
}

if (import.meta.main) {
  await runCommand({
    name: "run",
    help: HELP,
    options,
    async run({ values, positionals }) {
      if (values.log === "json") logAsJson();
      else if (values.log !== undefined) throw badArguments(`--log must be json, got "${values.log}"`);
      checkOut(values.out);
      refuseStrayStoreFlags(values);
      const wanted = wantedBy(positionals, values);
      if (wanted === undefined) await listExperiments();
      else if (typeof wanted === "string" && wanted.startsWith("station-")) await runStationCommand(wanted, values);
      else await runCommittees(wanted, values);
    },
  });
}
