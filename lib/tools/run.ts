import { UserError } from "../core/user_error.ts";
import { progress } from "../notebook/progress.ts";
import { accountCalls } from "../runs/accounting.ts";
import { type Council, openCouncil } from "../runs/council.ts";
import { describePlan, planExperiment, plannedRuns } from "../runs/plan_calls.ts";
import { type ConditionRuns, runExperiment } from "../runs/run_experiment.ts";
import { loadExperiment, loadExperiments, loadStationExperiments } from "../runs/scenarios.ts";
import { interruptible, print, runCommand, say, wholeNumber } from "./command.ts";
import { runStationCommand } from "./run_station.ts";

const HELP = `
usage: deno task run NAME [flags]
       deno task run              (lists the experiments)

Runs a declared experiment of scenarios/experiments.json, one ledger a condition. What a ledger already holds is not
run again, so after an interruption the same command goes on where it stopped.

  --council NAME    surrogate (default), live, or replay:FILE
                    live needs OPENAI_API_KEY, and OPENAI_BASE_URL for an endpoint other than OpenAI's own
  --replicates N    runs of each condition (default: the experiment's own number)
  --seed N          master seed (default: 1)
  --out DIR         folder of the ledgers (default: data/out/runs/NAME)
  --dry-run         prints conditions, calls, estimated tokens and cost; runs nothing

For an experiment of the station (station-…), --council is none, a persona or live:MODEL, --seed runs that seed alone,
and each run has a folder of its own with events, calls, summary and recap, listed in MANIFEST.tsv.

  --summaries FILE  station only: also writes the runs' summaries, one JSON line each, as data/preserved/ holds them

Standard output: one JSON line a condition, with its ledger and run accounting; for the station one line a run.
example: deno task run two-routes --replicates 40 --seed 7
`;

const options = {
  council: { type: "string" },
  replicates: { type: "string" },
  seed: { type: "string" },
  out: { type: "string" },
  "dry-run": { type: "boolean", default: false },
  summaries: { type: "string" },
} as const;

async function listExperiments(): Promise<void> {
  for (const [name, { title, shows }] of Object.entries(await loadExperiments())) {
    print(`${name}\n    ${title} (${shows})`);
  }
  for (const [name, { title, shows }] of Object.entries(await loadStationExperiments())) {
    print(`${name}\n    ${title} (${shows})`);
  }
}

interface WorkSettings {
  readonly council: Council;
  readonly replicates: number;
  readonly seed: number;
  readonly out: string;
}

async function work(name: string, { council, replicates, seed, out }: WorkSettings): Promise<void> {
  const bar = await progress(name, plannedRuns(await loadExperiment(name), replicates));
  try {
    const onRun = () => void bar.advance();
    const results = await interruptible((signal) =>
      runExperiment(name, { council, replicates, seed, out, signal, onRun, onNotice: say })
    );
    for (const result of results) {
      print(JSON.stringify(summary(result)));
      for (const branch of result.branches ?? []) print(JSON.stringify({ base: branch.base, ...summary(branch) }));
    }
  } finally {
    await bar.finish();
  }
}

/** What a surrogate's calls took is nothing; what a model's took belongs to the result. */
const summary = ({ ledger, accounting, synthetic }: ConditionRuns) => ({
  ...accounting,
  synthetic,
  ledger: ledger.path,
  ...(!synthetic && { calls: accountCalls(ledger) }),
});

if (import.meta.main) {
  await runCommand({
    name: "run",
    help: HELP,
    options,
    async run({ values, positionals }) {
      const [name, ...rest] = positionals;
      if (name === undefined) return await listExperiments();
      if (rest.length > 0) {
        throw new UserError(`one experiment at a time, got also ${rest.join(", ")}`, { exitCode: 2 });
      }
      if (name.startsWith("station-")) return await runStationCommand(name, values);
      if (values.summaries !== undefined) {
        throw new UserError("--summaries is for the station; a committee's record is its ledger", { exitCode: 2 });
      }
      const experiment = await loadExperiment(name);
      const replicates = values.replicates === undefined
        ? experiment.replicates
        : wholeNumber("--replicates", values.replicates, 1);
      const seed = wholeNumber("--seed", values.seed ?? "1");
      const plan = await planExperiment(name, replicates);
      if (values["dry-run"]) return print(describePlan(plan));
      const council = await openCouncil(values.council ?? "surrogate", Deno.env);
      const out = (values.out ?? `data/out/runs/${name}`).replace(/\/$/, "");
      if (council.live) say(describePlan(plan));
      await work(name, { council, replicates, seed, out });
    },
  });
}
