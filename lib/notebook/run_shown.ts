import process from "node:process";
import { openCouncil } from "../runs/council.ts";
import { describePlan, planExperiment, plannedRuns } from "../runs/plan_calls.ts";
import { type ConditionRuns, runExperiment } from "../runs/run_experiment.ts";
import { loadExperiment } from "../runs/scenarios.ts";
import { emit } from "./emit.ts";
import { progress } from "./progress.ts";

/** A notebook's parameters: the same names as the flags of `deno task run`. */
export interface RunShownOptions {
  /** `surrogate`, `live` (needs OPENAI_API_KEY) or `replay:FILE`. */
  readonly council?: string | undefined;
  readonly replicates?: number | undefined;
  readonly seed?: number | undefined;
  /** Folder of the ledgers; by default `data/out/runs/NAME/`. */
  readonly out?: string | undefined;
}

/**
 * Runs a declared experiment and shows how far it has come.
 *
 * Surrogate runs are taken from their ledgers where nothing that makes them has changed, and made again where something
 * has; what changed is said on standard error. Live ones begin with their calls and estimated cost, and go on from their
 * ledger: what was paid for is not asked again.
 */
export async function runShown(name: string, options: RunShownOptions = {}): Promise<ConditionRuns[]> {
  const { council: councilName = "surrogate", seed, out } = options;
  const experiment = await loadExperiment(name);
  const replicates = options.replicates ?? experiment.replicates;
  const council = await openCouncil(councilName, Deno.env);
  if (council.live) await emit({ "text/plain": describePlan(await planExperiment(name, replicates)) });
  const bar = await progress(experiment.title, plannedRuns(experiment, replicates));
  let told = 0;
  const onRun = () => {
    told++;
    void bar.advance();
  };
  const fresh = council.synthetic && "if-changed";
  const onNotice = (words: string) => void process.stderr.write(`${name}: ${words}\n`);
  const results = await runExperiment(name, { council, replicates, seed, out, fresh, onRun, onNotice });
  // What ledgers held already counts as done: the stored output must not depend on it.
  await bar.advance(plannedRuns(experiment, replicates) - told);
  await bar.finish();
  return results;
}
