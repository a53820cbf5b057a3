import * as z from "zod";

const Value = z.number().nullable().describe("null: does not exist");
const Interval = { low: z.number().optional(), high: z.number().optional() };
const Counts = z.record(z.string(), z.int().min(0));

const Ran = z.strictObject({
  protocol: z.string(),
  council: z.string().optional().describe("who answered: live, replay, or a surrogate with the hash of its parameters"),
  models: z.array(z.string()).describe("as asked for"),
  served: z.array(z.strictObject({
    asked: z.string(),
    served: z.string().optional(),
    fingerprint: z.string().optional(),
    calls: z.int(),
  })).optional(),
  providers: z.array(z.string()).optional(),
  prompts: z.string().optional().describe("content hash of the prompts"),
  condition: z.string().optional().describe("content hash of everything that makes the condition"),
  seed: z.int().optional(),
  first: z.string().optional().describe("date of the first entry on record"),
  last: z.string().optional(),
  library: z.string().optional().describe("version of the library that made the runs"),
  source: z.string().optional().describe("of imported records: whose they are"),
  cite: z.string().optional(),
  licence: z.string().optional(),
});

const Runs = z.strictObject({
  planned: z.int().optional(),
  complete: z.int(),
  missing: Counts.describe("runs by cause"),
});

const Drift = z.strictObject({
  ...{ from: z.int(), to: z.int(), lambda: z.number().optional(), ...Interval, p: z.number().optional() },
  reason: z.string().optional().describe("why there is no slope, or no interval"),
  D: z.array(z.number()).describe("mean distance between runs by round"),
  beta: z.strictObject({ beta: z.number().optional(), ...Interval, byRound: z.array(Value) }),
  leaveOneOut: z.array(Value).describe("λ̂ without each run in turn"),
  sharedRounds: z.int().optional().describe("of continuations: the rounds that all runs share"),
});

const Reasons = z.strictObject({
  ...{ texts: z.int(), silent: z.int().describe("without a word; no reason is made up for them") },
  align: z.enum(["round", "utterance"]),
  words: z.array(Value).describe("mean distance between runs by round or utterance"),
  change: z.strictObject({ distance: z.number().optional(), ...Interval }).describe("last less first"),
  verdict: z.strictObject({
    ...{ alike: z.number().optional(), different: z.number().optional(), statistic: z.number().optional() },
    ...{
      p: z.number().optional(),
      reason: z.string().optional(),
      decisions: Counts,
      undecided: z.int(),
      alone: z.int(),
    },
  }),
});

const Replies = z.strictObject({
  ...{ turns: z.int(), unreadable: z.int().describe("first replies without a readable STATE line"), repaired: z.int() },
  ...{ normalised: z.int(), missing: z.int() },
  modelsChanged: z.int().describe("runs in which one seat was answered by more than one model or fingerprint"),
});

const Spend = z.strictObject({
  ...{ calls: z.int(), tries: z.int(), promptTokens: z.int(), completionTokens: z.int() },
  withoutUsage: z.int().describe("replies without a reported token count, which are in no sum"),
  usdTold: z.number().optional().describe("the providers' own figure"),
});

/** What ran under one name, and what it shows. */
export const CardPart = z.strictObject({
  kind: z.enum(["committee", "records", "station"]),
  name: z.string(),
  title: z.string(),
  synthetic: z.boolean().optional().describe("absent: not declared"),
  ran: Ran,
  runs: Runs,
  drift: Drift.optional(),
  decisions: z.strictObject({ runs: Counts, undecided: z.int(), flipRate: z.number().optional() }).optional(),
  switches: z.record(z.string(), z.number()).optional().describe("changes of an agent's first choice, mean a run"),
  reasons: Reasons.optional(),
  replies: Replies.optional(),
  spend: Spend.optional(),
  scores: z.strictObject({
    ...{ q: z.array(z.number()), mean: z.number(), sd: z.number().optional() },
    ...{ stabilized: z.int(), classes: Counts, fallbackShare: z.number().describe("actions that the clerk filled in") },
  }).optional().describe("of stations"),
  limits: z.array(z.string()).min(1).describe("what this does not show"),
});
export type CardPart = z.infer<typeof CardPart>;

/** A card: what some runs are and what they show, with what is missing. */
export const Card = z.strictObject({ schema: z.literal("card/1"), parts: z.array(CardPart).min(1) });
export type Card = z.infer<typeof Card>;
