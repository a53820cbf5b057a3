import * as z from "zod";
import type { Given, Optional } from "./type_helpers.ts";

type Every = { window: Window; resamples: number };
type Window = { from: number; to: number };
const every = {
  window: z.strictObject({ from: z.int().min(1), to: z.int().min(3) }),
  resamples: z.int().min(200).default(2000),
};

type Growth = Every & {
  reach: "growth";
  /** Runs of a condition at which the question is asked. */
  looks: number[];
  /** Chance to stop at any look where there is no growth. */
  alpha: number;
  spending: "pocock" | "obrien-fleming";
  /** Growth above zero, or above a random walk's slope. */
  against: "zero" | "walk";
};
const growth = z.strictObject({
  reach: z.literal("growth"),
  looks: z.array(z.int().min(3)).min(1).refine(
    (looks) => looks.every((n, i) => i === 0 || n > looks[i - 1]!),
    "must rise, such as [8, 12, 16, 20]",
  ),
  alpha: z.number().gt(0).lt(0.5).default(0.05),
  spending: z.enum(["pocock", "obrien-fleming"]).default("pocock"),
  against: z.enum(["zero", "walk"]).default("zero"),
  ...every,
});

type Width = Every & {
  reach: "width";
  /** Of the 95 % interval, nats per round. */
  halfWidth: number;
  /** Runs that say how many are needed. */
  pilot: number;
  atMost: number;
};
const width = z.strictObject({
  reach: z.literal("width"),
  halfWidth: z.number().gt(0),
  pilot: z.int().min(8).default(12),
  atMost: z.int().min(8),
  ...every,
});

/** A stopping design: when the runs of a condition may end early. Declared before the first of them. */
export type Until = Growth | Width;
export const Until: z.ZodType<Until> = z.discriminatedUnion("reach", [growth, width])
  .refine(
    (until) => until.reach === "growth" || until.atMost >= until.pilot,
    "atMost must be the pilot's runs or more",
  );

/** Runs to be begun before the first look. */
export const firstLook = (until: Until): number => until.reach === "growth" ? until.looks[0]! : until.pilot;

/** The same as an experiment or a caller writes it: what is left out takes its default. */
export type UntilSpec = SpecOf<false>;
type SpecOf<Filled> =
  & Optional<{ window: Window }>
  & Given<Filled, { resamples: number }>
  & (
    | Pick<Growth, "reach">
      & Optional<Pick<Growth, "looks">>
      & Given<Filled, Omit<Growth, "reach" | "looks" | keyof Every>>
    | Pick<Width, "reach" | "halfWidth"> & Optional<Pick<Width, "atMost">> & Given<Filled, Pick<Width, "pilot">>
  );
export const UntilSpec: z.ZodType<SpecOf<true>, UntilSpec> = z.discriminatedUnion("reach", [
  growth.extend({ looks: growth.shape.looks.optional(), window: every.window.optional() }),
  width.extend({ atMost: width.shape.atMost.optional(), window: every.window.optional() }),
]);

/** Fields of a look. */
export const LOOK = {
  look: z.int().min(1),
  begun: z.int().min(1),
  runs: z.int().min(0),
  p: z.number().optional(),
  fixedP: z.number().optional(),
  level: z.number().optional(),
  needed: z.int().optional(),
  lambda: z.number().optional(),
  low: z.number().optional(),
  high: z.number().optional(),
  decision: z.enum(["growth", "narrow", "go on", "no decision", "skipped"]),
  reason: z.string().optional(),
};

/**
 * `fixedP`: p if this had been the only look; p at or below `level` stops; `needed`: runs that the pilot asks for; `lambda`:
 * nats per round, which like its interval allows for the looks.
 */
type LookNumbers = Optional<Record<"p" | "fixedP" | "level" | "needed" | "lambda" | "low" | "high", number>>;

/** A look of a stopping design: the runs that there were, p and level, and the decision. */
export type Look = LookNumbers & {
  /** Counted from 1. */
  look: number;
  /** Runs that the design begins before this look. */
  begun: number;
  /** Of them complete. */
  runs: number;
  decision: "growth" | "narrow" | "go on" | "no decision" | "skipped";
  reason?: string | undefined;
};
export const Look: z.ZodType<Look> = z.strictObject(LOOK);
