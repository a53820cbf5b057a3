import { z } from "zod";
import { readJson } from "../../runs/read_json.ts";

const Row = z.strictObject({
  regime: z.string(),
  replicates: z.array(z.int()).describe("of each group"),
  truth: z.number().describe("nats per round"),
  ensembles: z.int(),
  bias: z.number().describe("mean of the estimate less the truth, nats per round"),
  scatter: z.number().describe("standard deviation of the same"),
  counts: z.record(z.string(), z.int()).describe(
    "in how many an interval was given or held the truth, a test rejected",
  ),
});
const Study = z.strictObject({
  schema: z.literal("estimator-study/1"),
  command: z.string(),
  code: z.string().describe("hash of the estimators and of what makes the ensembles"),
  options: z.record(z.string(), z.number()),
  rows: z.array(Row),
  slice: z.array(Row).describe("the same of the first ensembles of each regime, for a test to make again"),
});
export type EstimatorRow = z.infer<typeof Row>;
export type EstimatorStudy = z.infer<typeof Study>;

const FILE = new URL("../../../data/estimators/coverage.json", import.meta.url);

/**
 * How often intervals hold a known slope and how often tests reject, over many ensembles of each regime.
 *
 * @throws {UserError} when the table is missing or malformed.
 */
export async function loadEstimatorStudy(): Promise<EstimatorStudy> {
  return await readJson(FILE, Study);
}
