import { z } from "zod";
import { ABLATIONS } from "@/lab/runs/ablate_station.ts";
import { readJson } from "@/record/read_json.ts";
import { CouncilRole } from "@/schema/station_ids.ts";

// The shape of the tables that these commands make and notebooks read; a test holds the committed files to it.

/** A committed table; throws a UserError where it is missing or malformed. */
export const keptTable = <S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> =>
  readJson(new URL(`../../data/${path}`, import.meta.url), schema);

const known = z.number().optional();

/** Fields of every table: how it was made. */
const made = {
  mechanism: z.string().describe("hash of the surrogate's parameters and code"),
  command: z.string(),
  replicates: z.int(),
};

/** λ̂ of one condition of the surrogate under one master seed: where a single draw of twenty runs may lie. */
const SeedSlope = z.strictObject({
  scenario: z.string(),
  lineup: z.string(),
  roles: z.boolean(),
  ablate: z.string().optional(),
  seed: z.int(),
  runs: z.int().describe("complete ones, of `replicates`"),
  lambda: z.number().optional().describe("nats per round, rounds 3 to 20; absent where it is undefined"),
  D1: z.number(),
  D3: z.number(),
  D20: z.number(),
});
export type SeedSlope = z.infer<typeof SeedSlope>;

export const SeedSlopes = z.strictObject({ schema: z.literal("seed-slopes/2"), ...made, rows: z.array(SeedSlope) });

/**
 * One condition of the surrogate under one master seed, or without `seed` the pairs of all seeds together: λ̂ and twin slope
 * with their intervals, nats per round; runs with a twin, without (`unmoved`, `flagged`); share of pairs that
 * have `met` again after the last round, and that decide otherwise.
 */
const TwinRow = z.strictObject({
  ...{ scenario: z.string(), roles: z.boolean(), seed: z.int().optional() },
  ...{ lambda: known, lambdaLow: known, lambdaHigh: known, slope: known, low: known, high: known },
  ...{ pairs: z.int(), unmoved: z.int(), flagged: z.int(), met: z.number(), flips: z.number() },
});
export type TwinRow = z.infer<typeof TwinRow>;

export const TwinTable = z.strictObject({
  schema: z.literal("twin-table/1"),
  ...made,
  ...{ changed: z.int().describe("round of the changed reply"), near: z.number(), rows: z.array(TwinRow) },
});

/** λ̂ over the closes with its interval over seeds, or why there is none, and D at the last close. */
const Spread = z.strictObject({
  ...{ lambda: known, low: known, high: known, last: z.number() },
  reason: z.string().optional(),
});

/**
 * One council whose calls draw a `share` ε of dice of their own, over one block of seeds or, without `block`, over all.
 *
 * `q`: its mean, SD `within` a seed, and `difference` of the mean from that with all dice own, paired by seed, with its 90 %
 * interval and p against ± `margin`. Over pairs of one seed: shares of another class and of another role's first plan, rank
 * correlation of |Δq| with the distance of allocations (`unseen`). `cost`: that of a seed's mean q with its last D.
 */
const StabilityRow = z.strictObject({
  ...{ council: z.string(), share: z.number(), block: z.int().optional(), q: z.number(), within: z.number() },
  ...{ support: Spread, world: Spread, allocation: Spread, difference: known, low: known, high: known, p: known },
  ...{ otherClass: z.number(), otherPlan: z.number(), unseen: known, cost: known },
});
export type StabilityRow = z.infer<typeof StabilityRow>;

export const StabilityTable = z.strictObject({
  schema: z.literal("stability-table/1"),
  ...made,
  ...{ seeds: z.int(), margin: z.number(), rows: z.array(StabilityRow) },
});

/** The whole council's less that without, with its 95 % interval over seeds; ends are absent where nothing varies. */
export const AblationEffect = z.strictObject({ delta: z.number(), low: known, high: known });

/** The effect of one role's loss, over one block of seeds or, without `block`, over all. D: distance of the support, at the last close. */
const AblationRow = z.strictObject({
  council: z.string(),
  role: CouncilRole,
  lost: z.enum(ABLATIONS),
  block: z.int().optional(),
  ...{ q: AblationEffect, stabilized: AblationEffect, D: AblationEffect },
});
export type AblationRow = z.infer<typeof AblationRow>;

export const AblationTable = z.strictObject({
  schema: z.literal("ablation-table/2"),
  ...made,
  ...{ seeds: z.int(), rows: z.array(AblationRow) },
});

const EstimatorRow = z.strictObject({
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
/** Coverage of intervals and rejection rates of tests where the slope is known, over many ensembles of each regime. */
export const Study = z.strictObject({
  schema: z.literal("estimator-study/1"),
  command: z.string(),
  code: z.string().describe("hash of the estimators and of what makes the ensembles"),
  options: z.record(z.string(), z.number()),
  recipes: z.array(z.strictObject({
    ...{ label: z.string(), made: z.string(), lambda: z.number(), law: z.string().optional() },
    kind: z.enum(["still", "walk", "growing", "surrogate"]),
  })).describe("how each ensemble is made, and its true slope, nats per round"),
  rows: z.array(EstimatorRow),
  slice: z.array(EstimatorRow).describe("the same of the first ensembles of each regime, for a test to make again"),
});

/** One measure of committees' first answers, with what surrogates have planted: how often its interval holds the true value. */
const AnswerRow = z.strictObject({
  ...{ skill: z.number(), slope: z.number() },
  measure: z.enum(["seat", "majority", "slope", "brier"]),
  truth: z.number(),
  ensembles: z.int(),
  given: z.int().describe("studies with an interval"),
  below: z.int().describe("intervals that end below the true value"),
  above: z.int().describe("intervals that begin above it"),
  bias: z.number().describe("mean of the estimate less the truth"),
  scatter: z.number().describe("standard deviation of the estimate"),
  width: z.number().describe("mean width of the intervals"),
});
export type AnswerRow = z.infer<typeof AnswerRow>;
/** The share of questions right where few are wrong: how often its interval holds the true share, over many studies. */
const FewWrongRow = z.strictObject({
  ...{ right: z.int().describe("on average, of so many questions, each in one run"), questions: z.int() },
  ...{ ensembles: z.int(), given: z.int(), below: z.int(), above: z.int() },
  width: z.number().describe("mean width of the intervals"),
});
export type FewWrongRow = z.infer<typeof FewWrongRow>;
/** Coverage of `questionBootstrap` where skill and calibration are planted, over many studies of each cell. */
export const AnswerStudy = z.strictObject({
  schema: z.literal("answer-study/1"),
  command: z.string(),
  code: z.string().describe("hash of the measures and of the plant"),
  options: z.record(z.string(), z.number()),
  fewWrong: z.array(FewWrongRow),
  rows: z.array(AnswerRow),
  slice: z.array(AnswerRow).describe("the same of the first studies of each cell, for a test to make again"),
});
