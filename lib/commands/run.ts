import { UserError } from "../core/user_error.ts";
import { type Council, openCouncil } from "../experiment/council.ts";
import { loadCondition } from "../experiment/load_condition.ts";
import { type CallPlan, planCalls } from "../experiment/plan_calls.ts";
import { type ConditionRuns, runExperiment } from "../experiment/run_experiment.ts";
import { recording } from "../model/recording.ts";
import { progress } from "../notebook/progress.ts";
import { loadExperiment, loadExperiments } from "../storage/experiments.ts";
import { LedgerWriter } from "../storage/ledger_writer.ts";
import { loadLineups } from "../storage/scenarios.ts";
import { loadSurrogateParameters } from "../storage/surrogate_parameters.ts";
import { runCommand } from "./main.ts";
import { print, say } from "./output.ts";
import { wholeNumber } from "./whole_number.ts";

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

Standard output: one JSON line a condition, with its ledger and run accounting.
example: deno task run two-routes --replicates 40 --seed 7
`;

const options = {
  council: { type: "string", default: "surrogate" },
  replicates: { type: "string" },
  seed: { type: "string", default: "1" },
  out: { type: "string" },
  "dry-run": { type: "boolean", default: false },
} as const;

async function listExperiments(): Promise<void> {
  for (const [name, { title, shows }] of Object.entries(await loadExperiments())) {
    print(`${name}\n    ${title} (${shows})`);
  }
}

async function callPlan(name: string, replicates: number): Promise<CallPlan> {
  const [{ conditions }, { prices }, parameters] = await Promise.all([
    loadExperiment(name),
    loadLineups(),
    loadSurrogateParameters(),
  ]);
  return await planCalls(
    await Promise.all(conditions.map((spec) => loadCondition(spec))),
    replicates,
    prices,
    parameters,
  );
}

interface WorkSettings {
  readonly council: Council;
  readonly replicates: number;
  readonly seed: number;
  readonly out: string;
}

async function work(name: string, { council, replicates, seed, out }: WorkSettings): Promise<void> {
  const { conditions } = await loadExperiment(name);
  const stop = new AbortController();
  const interrupt = () =>
    stop.abort(new UserError("stopped; every finished call is kept, and the same command goes on from here"));
  Deno.addSignalListener("SIGINT", interrupt);
  const bar = await progress(name, conditions.length * replicates);
  try {
    const onRun = () => void bar.advance();
    const results = await runExperiment(name, {
      council,
      replicates,
      seed,
      out,
      signal: stop.signal,
      onRun,
      onNotice: say,
    });
    for (const result of results) print(JSON.stringify(summary(result)));
  } finally {
    await bar.finish();
    Deno.removeSignalListener("SIGINT", interrupt);
  }
}

const summary = ({ ledger, accounting, synthetic }: ConditionRuns) => ({
  ...accounting,
  synthetic,
  ledger: ledger.path,
});

/** Paid calls are kept whole beside the ledgers, so that they can be replayed; each is safe before it is used. */
async function workRecorded(name: string, settings: WorkSettings): Promise<void> {
  const { council, out } = settings;
  using calls = LedgerWriter.open(`${out}/calls.jsonl`);
  if (calls.endLastLine()) {
    say(`run: the last call in ${calls.path} was torn off; its bytes are kept in ${calls.path}.torn`);
  }
  const chat = recording(council.chat, (call) => {
    calls.append(call);
    calls.commit();
  });
  await work(name, { ...settings, council: { ...council, chat } });
}

function planText({ conditions, total }: CallPlan): string {
  const rows = conditions.map(({ name, replicates, calls, promptTokens, completionTokens }) =>
    `${name}: ${replicates} runs, ${calls} calls, about ${thousands(promptTokens)} prompt and ${
      thousands(completionTokens)
    } completion tokens`
  );
  const cost = total.usd === undefined
    ? `cost unknown: no price for ${total.unpriced.join(", ")} in scenarios/lineups.json`
    : `about US$ ${total.usd.toFixed(2)} if run live, by the prices in scenarios/lineups.json`;
  const tokens = `about ${thousands(total.promptTokens)} prompt and ${
    thousands(total.completionTokens)
  } completion tokens`;
  return [...rows, `in all: ${total.calls} calls, ${tokens}; ${cost}`].join("\n");
}

const thousands = (n: number): string => `${Math.round(n / 1000)}k`;

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
      const experiment = await loadExperiment(name);
      const replicates = values.replicates === undefined
        ? experiment.replicates
        : wholeNumber("--replicates", values.replicates, 1);
      const seed = wholeNumber("--seed", values.seed);
      const plan = await callPlan(name, replicates);
      if (values["dry-run"]) return print(planText(plan));
      const council = await openCouncil(values.council, Deno.env);
      const out = (values.out ?? `data/out/runs/${name}`).replace(/\/$/, "");
      const settings = { council, replicates, seed, out };
      if (!council.live) return await work(name, settings);
      say(planText(plan));
      await workRecorded(name, settings);
    },
  });
}
