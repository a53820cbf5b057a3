import { z } from "zod";
import { Condition } from "./condition.ts";
import { DeliberationEvent } from "./deliberation_event.ts";

export const LEDGER_SCHEMA = "deliberation-ledger/1";

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
  schema: z.literal(LEDGER_SCHEMA),
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
  made: Provenance,
});
export type Declaration = z.infer<typeof Declaration>;

/** One event of one attempt at one replicate. */
const Entry = z.strictObject({
  schema: z.literal(LEDGER_SCHEMA),
  kind: z.literal("event"),
  hash: z.string(),
  replicate: z.int().min(0),
  attempt: z.int().min(1),
  at: z.iso.datetime().optional().describe("on opening and closing events: when the run began and ended"),
  event: DeliberationEvent,
});
export type LedgerEntry = z.infer<typeof Entry>;

export const LedgerLine = z.discriminatedUnion("kind", [Declaration, Entry]);
export type LedgerLine = z.infer<typeof LedgerLine>;
