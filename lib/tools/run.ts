import type { LivePlan } from "../live/live_session.ts";
import { type ProtocolName, protocolOf, PROTOCOLS, type Wanted } from "../live/run_plan.ts";
import { describeTally, type OnCall } from "../live/bills.ts";
import { progress } from "../notebook/progress.ts";
import { checkOut, writeWhole } from "../record/files.ts";
import { badArguments, interruptible, logsJson, print, runCommand, say, withoutNetwork } from "./command.ts";
import { experimentLines } from "./list.ts";
import { LIVE_HELP, logAs } from "./live_flags.ts";
import { CONDITION_HELP, RUN_FLAGS, type RunValues, wantedBy } from "./run_flags.ts";
import { committeeJob, type Job, stationJob } from "./run_jobs.ts";
import { onStore, refuseStrayStoreFlags, STORE_HELP } from "./store_flags.ts";
import { checkTables, writeTables } from "./tables.ts";

const HELP = `
usage: deno task run NAME [flags]
       deno task run --scenario ID [flags]
       deno task run              (lists the experiments)

Runs a declared experiment of scenarios/experiments.json, or the conditions that flags describe, one ledger a condition.
Recorded runs are not repeated: after an interruption the same command resumes.

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
  --show-prompts        prints the prompts of every seat in round 1 and in a later round, with surrogates' replies in the
                        place of the others'; asks and writes nothing
  --log json            writes notices and progress as JSON objects, one a line, on standard error
  --csv FOLDER          also writes the runs as tables: means.csv, agents.csv, divergence.csv and accounting.csv, or for
                        the station station.csv and components.csv; columns.csv beside them says what each column holds.
                        Tables of an earlier command are replaced, other files never

With --council live:
${LIVE_HELP}
  --reopen              repeats, in live runs of older versions, calls that were booked to a model though the endpoint failed:
                        slots of the station that the clerk filled are asked again, and the old files are kept beside;
                        a committee's run that ended on a large body, which was no reply, starts over

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

/** Runners by protocol. */
const RUN: Readonly<Record<ProtocolName, (wanted: Wanted, values: RunValues) => Promise<void>>> = {
  deliberation: async (wanted, values) => await run(await committeeJob(wanted, values), values),
  station: async (wanted, values) => await run(await stationJob(String(wanted), values), values),
};

async function run<Councils, Results>(job: Job<Councils, Results>, values: RunValues): Promise<void> {
  const { session } = job, { csv, store, "dry-run": dry } = values;
  if (values.reopen && store !== undefined) {
    throw badArguments("--reopen is for folders: gather the sweep, and run on its folder with --reopen");
  }
  if (values["show-prompts"]) return (await job.prompts()).forEach(print);
  if (!dry && store === undefined) await session.check();
  const planned = job.live || dry ? await session.plan() : undefined;
  if (dry) return print(planned!.words);
  if (csv !== undefined) await checkTables(csv);
  if (planned) say(planned.words);
  if (store === undefined) return await runHere(job, values, planned);
  refuseOtherSweep(job.work);
  const preflight = async (signal: AbortSignal) => void await session.open({ signal });
  await onStore(store, { ...job.work, preflight: job.live ? preflight : undefined }, values, async (database) => {
    await report(job, await job.stored(database), values);
  });
}

/** Plans again with what the preflight learned; however the runs end, their cost is reported. */
async function runHere<Councils, Results>(
  job: Job<Councils, Results>,
  values: RunValues,
  planned: LivePlan | undefined,
): Promise<void> {
  const { name, live, session } = job;
  if (!live) await withoutNetwork();
  const bar = await progress(name, planned?.calls ?? job.runs, { json: logsJson() });
  const onCall: OnCall = (tally, steps) => void bar.advance(steps, { words: describeTally(tally), fields: tally });
  try {
    const results = await interruptible(async (signal, callSignal) => {
      const councils = await session.open({ signal, callSignal, onCall: live ? onCall : undefined });
      const { words } = planned ? await session.plan() : {};
      if (words !== planned?.words) say(`after the preflight, ${words!.split("\n").at(-1)}`);
      return await job.run(councils, { signal, callSignal, onRuns: (runs) => void (live || bar.advance(runs)) });
    }, { resumes: true, drains: live });
    await report(job, results, values);
  } finally {
    await bar.finish();
    const spent = live ? await session.spent() : undefined;
    if (spent !== undefined) say(`spent so far: ${spent}`);
  }
}

/** A store knows the protocol of a sweep by its name. */
function refuseOtherSweep({ wanted, sweep }: Job<unknown, unknown>["work"]): void {
  const [own, other] = [wanted, sweep].map((name) => PROTOCOLS[protocolOf(name)]);
  if (own === other) return;
  throw badArguments(`--sweep must ${own ? `begin with ${own}` : `not begin with ${other}`}, got "${sweep}"`);
}

/** Prints the results, keeps the audit, and writes tables. Throws a UserError where runs are missing. */
async function report<Councils, Results>(
  job: Job<Councils, Results>,
  results: Results,
  { csv, json, summaries }: RunValues,
): Promise<void> {
  if (json || !Deno.stdout.isTerminal()) { for (const line of job.lines(results)) print(JSON.stringify(line)); }
  else print(job.table(results));
  const audit = await job.session.audit(results);
  if (audit !== "") say(audit);
  if (csv !== undefined) await writeTables(csv, job.tables(results));
  if (summaries !== undefined && job.summaries) writeWhole(summaries, job.summaries(results));
  job.refuseMissing(results);
}

if (import.meta.main) {
  await runCommand({
    name: "run",
    help: HELP,
    options: RUN_FLAGS,
    async run({ values, positionals }) {
      logAs(values.log);
      checkOut(values.out);
      refuseStrayStoreFlags(values);
      const wanted = wantedBy(positionals, values);
      if (wanted === undefined) (await experimentLines()).forEach(print);
      else await RUN[protocolOf(wanted)](wanted, values);
    },
  });
}
