import * as z from "zod";
import { ChatReply, FailureCode } from "./model_call.ts";

/** The content of one STATE line, after reading. */
export type StateVector = {
  /** One share per option, summing to 1. */
  preferences: number[];
  confidence: number;
  tags: string[];
  /** The sum as written, present only where the preferences were rescaled. */
  writtenSum?: number | undefined;
};
export const StateVector: z.ZodType<StateVector> = z.strictObject({
  preferences: z.array(z.number().min(0).max(1)),
  confidence: z.number().min(0).max(100),
  tags: z.array(z.string()).length(2),
  writtenSum: z.number().optional(),
});

/** Outcome of a slot: as written, normalised with its repairs, readable but not creditable, or without a reply. */
type Reading<T> =
  | { kind: "read"; value: T }
  | { kind: "normalised"; value: T; repairs: string[] }
  | { kind: "invalid"; code: string; message: string }
  | { kind: "missing"; code: FailureCode; message: string };
const reading = <T>(value: z.ZodType<T>): z.ZodType<Reading<T>> =>
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("read"), value }),
    z.strictObject({ kind: z.literal("normalised"), value, repairs: z.array(z.string()).min(1) }),
    z.strictObject({ kind: z.literal("invalid"), code: z.string(), message: z.string() }),
    z.strictObject({ kind: z.literal("missing"), code: FailureCode, message: z.string() }),
  ]);

type BallotShape = { decision: z.ZodString; confidence: z.ZodNumber };
export const Ballot: z.ZodObject<BallotShape, z.core.$strict> = z.strictObject({
  decision: z.string(),
  confidence: z.number().min(0).max(100),
});
export type Ballot = z.infer<typeof Ballot>;

type ReportShape = { decision: z.ZodString; majority_count: z.ZodInt; total: z.ZodInt };
export const ClerkReport: z.ZodObject<ReportShape, z.core.$strict> = z.strictObject({
  decision: z.string(),
  majority_count: z.int().min(0),
  total: z.int().min(0),
});
export type ClerkReport = z.infer<typeof ClerkReport>;

const StateReading = reading(StateVector);

const BallotReading = reading(Ballot);

const ClerkReading = reading(ClerkReport);

export type BallotReading = Reading<Ballot>;
export type ClerkReading = Reading<ClerkReport>;

type Call = { seat: number; seed: number; reply?: ChatReply | undefined };
const call = { seat: z.int().min(0), seed: z.int(), reply: ChatReply.optional() };

/**
 * The events of one committee run, in order. Chance and models act before an event is made and their outcome is
 * in it, so folding events needs neither. `again` marks the second and last request for a slot.
 */
export type DeliberationEvent =
  | { kind: "run.opened"; seed: number; replicate: number; condition: string }
  | { kind: "run.forked"; seed: number; replicate: number; fromSeed: number; fromReplicate: number }
  | Call & { kind: "turn.answered"; round: number; again: boolean; reading: Reading<StateVector> }
  | Call & { kind: "ballot.answered"; again: boolean; reading: BallotReading }
  | Call & { kind: "clerk.answered"; reading: ClerkReading }
  | {
    kind: "run.decided";
    /** Absent when no ballot could be read, or too few agree for the rule. */
    decision?: string | undefined;
    /** `none`: nothing could be read; `unmet`: fewer ballots for any option than the committee's rule asks. */
    by: "majority" | "plurality" | "tie" | "none" | "unmet" | "clerk" | "mean";
    /** Readable ballots by option. */
    votes: number[];
    clerk: "agrees" | "disagrees" | "unreadable" | "unasked";
  }
  /** `cause`: why the run is flagged and left out of analysis. */
  | { kind: "run.closed"; outcome: "complete" | "flagged"; cause?: string | undefined };
export const DeliberationEvent: z.ZodType<DeliberationEvent> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("run.opened"), seed: z.int(), replicate: z.int().min(0), condition: z.string() }),
  z.strictObject({
    kind: z.literal("run.forked"),
    seed: z.int(),
    replicate: z.int().min(0),
    fromSeed: z.int(),
    fromReplicate: z.int().min(0),
  }),
  z.strictObject({
    kind: z.literal("turn.answered"),
    round: z.int().min(1),
    again: z.boolean(),
    ...call,
    reading: StateReading,
  }),
  z.strictObject({ kind: z.literal("ballot.answered"), again: z.boolean(), ...call, reading: BallotReading }),
  z.strictObject({ kind: z.literal("clerk.answered"), ...call, reading: ClerkReading }),
  z.strictObject({
    kind: z.literal("run.decided"),
    decision: z.string().optional(),
    by: z.enum(["majority", "plurality", "tie", "none", "unmet", "clerk", "mean"]),
    votes: z.array(z.int().min(0)),
    clerk: z.enum(["agrees", "disagrees", "unreadable", "unasked"]),
  }),
  z.strictObject({
    kind: z.literal("run.closed"),
    outcome: z.enum(["complete", "flagged"]),
    cause: z.string().optional(),
  }),
]);
