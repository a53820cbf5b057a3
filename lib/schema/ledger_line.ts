import * as z from "zod";
import { Condition } from "./condition.ts";
import { DeliberationEvent } from "./deliberation_event.ts";
import { FailedTry, FailureCode } from "./model_call.ts";

/** Lines as they are written: each with its number and a checksum. */
export const LEDGER_SCHEMA = "deliberation-ledger/2";
/** Lines as they were written before 0.2.0, without either; they are still read. */
export const UNSEALED_SCHEMA = "deliberation-ledger/1";

/** What `seal` adds to a line: absent in lines of the first version, and before a line is written. */
const seal = {
  schema: z.enum([LEDGER_SCHEMA, UNSEALED_SCHEMA]),
  n: z.int().min(1).optional().describe("counts the lines in order of writing"),
  check: z.string().regex(/^[0-9a-f]{8}$/).optional().describe(
    "CRC-32 of the line up to here, begun with that of the line before it in its run",
  ),
};

/** What made a run: enough to make it again. */
export const Provenance = z.strictObject({
  library: z.string().describe("version of this library"),
  commit: z.string().optional().describe("git commit of the library; absent where it is not known"),
  deno: z.string(),
  code: z.string().optional().describe("hash of the source that makes runs; absent where it could not be read"),
});
export type Provenance = z.infer<typeof Provenance>;

/**
 * Opens a ledger: the whole condition and how many runs are meant. Written again when the plan is extended, and when
 * another version of the library resumes it.
 */
const Declaration = z.strictObject({
  ...seal,
  kind: z.literal("declared"),
  at: z.iso.datetime(),
  hash: z.string().describe("content hash of the condition; every other line names it"),
  name: z.string(),
  condition: Condition,
  target: z.int().min(1).describe("replicates meant, 0…target−1"),
  seed: z.int().describe("master seed"),
  council: z.string().describe("who answers: live, replay, or surrogate with the hash of its parameters"),
  synthetic: z.boolean(),
  promptPack: z.string().describe("content hash of the prompt pack"),
  base: z.array(DeliberationEvent).min(1).optional().describe(
    "the beginning of one run, from its run.opened on: every run of this ledger continues it",
  ),
  registered: z.string().optional().describe("hash of the registration that the runs belong to"),
  made: Provenance,
});
export type Declaration = z.infer<typeof Declaration>;

/** One event of one attempt at one replicate. */
const Entry = z.strictObject({
  ...seal,
  kind: z.literal("event"),
  hash: z.string(),
  replicate: z.int().min(0),
  attempt: z.int().min(1),
  at: z.iso.datetime().optional().describe("on opening and closing events: when the run began and ended"),
  event: DeliberationEvent,
});
export type LedgerEntry = z.infer<typeof Entry>;

/** A call that the endpoint left without an outcome: its run stays open before that place. */
const UnansweredCall = z.strictObject({
  ...seal,
  kind: z.literal("unanswered"),
  hash: z.string(),
  replicate: z.int().min(0),
  attempt: z.int().min(1),
  at: z.iso.datetime(),
  place: z.string(),
  code: FailureCode,
  tries: z.array(FailedTry).describe("every one of them, for it may have been paid for"),
});
export type UnansweredCall = z.infer<typeof UnansweredCall>;

export const LedgerLine = z.discriminatedUnion("kind", [Declaration, Entry, UnansweredCall]);
export type LedgerLine = z.infer<typeof LedgerLine>;
