import * as z from "zod";

const every = {
  window: z.strictObject({ from: z.int().min(1), to: z.int().min(3) }).describe("rounds of the fit"),
  resamples: z.int().min(200).default(2000),
};

const Growth = z.strictObject({
  reach: z.literal("growth"),
  looks: z.array(z.int().min(3)).min(1).refine(
    (looks) => looks.every((n, i) => i === 0 || n > looks[i - 1]!),
    "must rise, such as [8, 12, 16, 20]",
  ).describe("runs of a condition at which the question is asked"),
  alpha: z.number().gt(0).lt(0.5).default(0.05).describe("chance to stop at any look where there is no growth"),
  spending: z.enum(["pocock", "obrien-fleming"]).default("pocock"),
  against: z.enum(["zero", "walk"]).default("zero").describe("growth above zero, or above a random walk's slope"),
  ...every,
});

const Width = z.strictObject({
  reach: z.literal("width"),
  halfWidth: z.number().gt(0).describe("of the 95 % interval, nats per round"),
  pilot: z.int().min(8).default(12).describe("runs that say how many are needed"),
  atMost: z.int().min(8),
  ...every,
});

/** A stopping design: when the runs of a condition may end early. Declared before the first of them. */
export const Until = z.discriminatedUnion("reach", [Growth, Width])
  .refine(
    (until) => until.reach === "growth" || until.atMost >= until.pilot,
    "atMost must be the pilot's runs or more",
  );
export type Until = z.output<typeof Until>;

/** Runs to be begun before the first look. */
export const firstLook = (until: Until): number => until.reach === "growth" ? until.looks[0]! : until.pilot;

/** The same as an experiment or a caller writes it: what is left out takes its default. */
export const UntilSpec = z.discriminatedUnion("reach", [
  Growth.extend({ looks: Growth.shape.looks.optional(), window: every.window.optional() }),
  Width.extend({ atMost: Width.shape.atMost.optional(), window: every.window.optional() }),
]);
export type UntilSpec = z.input<typeof UntilSpec>;

/** A look of a stopping design: the runs that there were, p and level, and the decision. */
export const Look = z.strictObject({
  look: z.int().min(1).describe("counted from 1"),
  begun: z.int().min(1).describe("runs that the design begins before this look"),
  runs: z.int().min(0).describe("of them complete"),
  p: z.number().optional(),
  fixedP: z.number().optional().describe("p if this had been the only look"),
  level: z.number().optional().describe("p at or below it stops"),
  needed: z.int().optional().describe("runs that the pilot asks for"),
  lambda: z.number().optional().describe("nats per round; allows for the looks, as the interval does"),
  low: z.number().optional(),
  high: z.number().optional(),
  decision: z.enum(["growth", "narrow", "go on", "no decision", "skipped"]),
  reason: z.string().optional(),
});
export type Look = z.infer<typeof Look>;
