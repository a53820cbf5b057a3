import type { Branch } from "../../schema/experiments.ts";
import { isComplete } from "../accounting.ts";
import { branchName, branchSeed, throughRound } from "../run_experiment.ts";
import type { Database } from "./database.ts";
import { storedLedgers } from "./gather.ts";
import type { PlannedSweep, SweepLedger } from "./sweep_plan.ts";

/** The ledgers in which the complete runs of a sweep are continued from the end of a round: see `runBranches`. */
export async function continuationsOf(
  database: Database,
  sweep: string,
  planned: PlannedSweep,
  { round, continuations }: Branch,
): Promise<SweepLedger[]> {
  const ledgers: SweepLedger[] = [];
  for (const { declaration, runs } of await storedLedgers(database, sweep)) {
    if (declaration.base) continue;
    for (const { replicate, events } of runs.filter(isComplete)) {
      const name = branchName(declaration.name, replicate, round);
      const continued = {
        ...{ ...declaration, at: new Date().toISOString(), target: continuations },
        ...{ base: throughRound(events, round), seed: branchSeed(declaration.seed, replicate) },
      };
      ledgers.push(planned.ledgerOf(name, continued)!);
    }
  }
  return ledgers;
}
