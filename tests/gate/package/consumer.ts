import type { ConditionSpec, StateVector } from "@chaos-lab/deno/schema";
import { bootstrapSlope } from "@chaos-lab/deno/stats";
import { createRng } from "@chaos-lab/deno/core";
import {
  accountDecisions,
  collectRuns,
  collectStation,
  loadCondition,
  measureRuns,
  surrogateCouncil,
} from "@chaos-lab/deno/runs";
import { loadCrossModel, loadGroupReasons, loadIm01 } from "@chaos-lab/deno/paper";
import { readLedger } from "@chaos-lab/deno";

// What somebody's own program may rely on. It is never run: the compiler holds the declarations of the package to it.

export const spec: ConditionSpec = { scenario: "HL-01", temperature: 0.7, ablate: "Chair+Equity" };
// @ts-expect-error a scenario is named by its id
export const wrong: ConditionSpec = { scenario: 1 };

export async function slopes(vector: StateVector): Promise<(number | undefined)[]> {
  const condition = await loadCondition(spec);
  const { runs } = await collectRuns(condition, { council: await surrogateCouncil(), replicates: 3, seed: 1 });
  const means = runs.map(({ means }) => means);
  const { lambda, low } = bootstrapSlope(means, { rng: createRng(1), to: 8 });
  const [row] = await loadIm01();
  const printed: number | undefined = row?.lambda;
  // @ts-expect-error a confidence is a number
  const words: string = vector.confidence;
  const { declaration } = await readLedger(words);
  return [lambda, low, printed, measureRuns(means, { seed: 1, to: 8 }).lambda, declaration.condition.seats.length];
}

/** What can be absent of a result is declared so, and cannot be used as if it were there. */
export async function present(measured: ReturnType<typeof measureRuns>, ...station: Parameters<typeof collectStation>) {
  const [printed, group, run] = [
    (await loadCrossModel())[0]!,
    (await loadGroupReasons())[0]!,
    (await collectStation(...station))[0]!,
  ];
  // @ts-expect-error runs that never differ have no slope
  const lambda: number = measured.lambda;
  // @ts-expect-error nor an interval
  const low: number = measured.low;
  // @ts-expect-error runs without agents' states have no groups
  const { ratio } = measured.groups;
  // @ts-expect-error a run without replicates has no number
  const replicate: number = run.summary.replicate;
  // @ts-expect-error a component may not be known
  const trust: number = run.summary.components.trust;
  // @ts-expect-error one deal alone gives no p
  const p: number = group.verdict.words.p;
  // A table's own columns and its committee are one row: what is always there is declared so.
  const lineup: string = printed.lineup;
  // @ts-expect-error a committee may decide without ballots
  const { flipRate } = accountDecisions([]).ballots;
  return [lambda, low, ratio, replicate, trust, p, lineup, flipRate];
}
