import type { ConditionSpec, StateVector } from "@chaos-lab/deno/schema";
import { bootstrapSlope } from "@chaos-lab/deno/stats";
import { createRng } from "@chaos-lab/deno/core";
import { collectRuns, loadCondition, measureRuns, surrogateCouncil } from "@chaos-lab/deno/runs";
import { loadIm01 } from "@chaos-lab/deno/paper";
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
