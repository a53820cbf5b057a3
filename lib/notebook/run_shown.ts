import process from "node:process";
import { openCouncil } from "../runs/council.ts";
import { describePlan, planExperiment, plannedRuns } from "../runs/plan_calls.ts";
import { type ConditionRuns, runExperiment } from "../runs/run_experiment.ts";
import { planRuns, type Wanted } from "../runs/run_plan.ts";
import type { ScenarioFolder } from "../runs/scenarios.ts";
import type { Branch } from "../schema/experiments.ts";
import { emit } from "./emit.ts";
import { progress } from "./progress.ts";

/** A notebook's parameters: the same names as the flags of `deno task run`. */
export interface RunShownOptions extends ScenarioFolder {
  /** `surrogate`, `live` or `live:MODEL` (need OPENAI_API_KEY), or `replay:PATH`. */
  readonly council?: string | undefined;
  /** Runs of each condition; by default the experiment's own number, or 20 of an ad hoc condition. */
  readonly replicates?: number | undefined;
  readonly seed?: number | undefined;
  /** Continues every run so often from the end of a round; by default what the experiment declares. */
  readonly branch?: Branch | undefined;
  /** Folder of the ledgers; by default `data/out/runs/NAME/` or `data/out/runs/ad-hoc/`, for live runs `data/live/…`. */
  readonly out?: string | undefined;
}

/**
 * Runs a declared experiment or ad hoc conditions and shows how far they have come.
 *
 * Surrogate runs are taken from their ledgers where nothing that makes them has changed, and made again where something
 * has; what changed is said on standard error. Live ones begin with their calls and estimated cost, and resume from their
 * ledger: what was paid for is not asked again.
 *
 * @param wanted the name of an experiment in `scenarios/experiments.json`; or one spec or several, each of which holds any
 * of scenario, roles, lineup, temperature, window, ablate, agents, rounds and variant. A list means alternatives, and
 * several lists all their combinations, the last field varying fastest; `ablate: "Chair+Equity"` takes away two mandates.
 * @returns the conditions in that order, each with a `label` that tells it from the others.
 * @throws {UserError} on an unknown name or a value out of range (naming the nearest), and on two specs of one condition.
 *
 * @example
 * ```ts ignore
 * const committee = { scenario: "IM-01", temperature: 0.7 };
 * const conditions = await runShown([{ ...committee, roles: [true, false] }, { ...committee, ablate: "Chair+Equity" }]);
 * ```
 */
export async function runShown(wanted: Wanted, options: RunShownOptions = {}): Promise<ConditionRuns[]> {
  const { council: councilName = "surrogate", seed, out, folder } = options;
  const plan = await planRuns(wanted, { folder });
  const replicates = options.replicates ?? plan.replicates;
  const branch = options.branch ?? plan.branch;
  const council = await openCouncil(councilName, Deno.env);
  if (council.live) {
    const calls = await planExperiment(wanted, { replicates, branch, model: council.model, folder });
    await emit({ "text/plain": describePlan(calls) });
  }
  const total = plannedRuns({ ...plan, branch }, replicates);
  const title = options.branch ? `${plan.title}, continued after round ${options.branch.round}` : plan.title;
  const bar = await progress(title, total);
  let told = 0;
  const done = (runs: number) => {
    told += runs;
    void bar.advance(runs);
  };
  const results = await runExperiment(wanted, {
    ...{ council, replicates, seed, branch, out, folder },
    fresh: council.synthetic && "if-changed",
    onHeld: done,
    onRun: () => done(1),
    onNotice: (words) => void process.stderr.write(`${typeof wanted === "string" ? wanted : plan.title}: ${words}\n`),
  });
  // Continuations of runs that failed are never made: the stored output must not depend on how far a run had come.
  await bar.advance(total - told);
  await bar.finish();
  return results;
}
