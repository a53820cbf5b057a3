import * as z from "zod";
import { Condition } from "./condition.ts";
import { DeliberationEvent } from "./deliberation_event.ts";
import { FailedTry, FailureCode, ModelCall } from "./model_call.ts";
import { Look, Until } from "./until.ts";

/** The schema of a protocol's ledger lines as they are written: each with its number and a checksum. */
export const sealedSchema = (protocol: string): string => `${protocol}-ledger/2`;
/** The schema of lines written before 0.2.0, without either; they are still read. */
export const unsealedSchema = (protocol: string): string => `${protocol}-ledger/1`;

/** The software that made a run: enough to make the run again. */
export const Provenance = z.strictObject({
  library: z.string().describe("version of this library"),
  commit: z.string().optional().describe("git commit of the library; absent where it is not known"),
  deno: z.string(),
  code: z.string().optional().describe("hash of the source that makes runs; absent where it could not be read"),
});
export type Provenance = z.infer<typeof Provenance>;

/** The fields that sealing adds to a line; absent in lines of the first version, and before a line is written. */
const seal = {
  schema: z.string(),
  n: z.int().min(1).optional().describe("counts the lines in order of writing"),
  check: z.string().regex(/^[0-9a-f]{8}$/).optional().describe(
    "CRC-32 of the line up to here, begun with that of the line before it in its run",
  ),
};

const Declared = z.strictObject({
  ...seal,
  kind: z.literal("declared"),
  at: z.iso.datetime(),
  hash: z.string().describe("content hash of the condition; every other line names it"),
  name: z.string(),
  condition: z.unknown(),
  target: z.int().min(1).describe("planned replicates, 0…target−1"),
  seed: z.int().describe("master seed"),
  council: z.string().describe("who answers: live, replay, or surrogate with the hash of its parameters"),
  synthetic: z.boolean(),
  promptPack: z.string().describe("content hash of the prompt pack"),
  base: z.array(z.unknown()).min(1).optional().describe(
    "the beginning of one run, from its run.opened on: every run of this ledger continues it",
  ),
  registered: z.string().optional().describe("hash of the registration that the runs belong to"),
  until: Until.optional().describe("the stopping design, declared before the first run"),
  unplanned: z.literal(true).optional().describe("the runs go on although the design has come to its end"),
  made: Provenance,
});

const Looked = z.strictObject({
  ...seal,
  ...Look.shape,
  kind: z.literal("look"),
  at: z.iso.datetime(),
  hash: z.string(),
  design: z.string().describe("content hash of the stopping design"),
});

const run = { ...seal, hash: z.string(), replicate: z.int().min(0), attempt: z.int().min(1) };

const Entry = z.strictObject({
  ...run,
  kind: z.literal("event"),
  at: z.iso.datetime().optional().describe("of opening and closing events: when the run began and ended"),
  event: z.unknown(),
});

const Called = z.strictObject({
  ...run,
  kind: z.literal("call"),
  call: ModelCall.describe("events name it by its place among the calls of its run"),
});

const Unanswered = z.strictObject({
  ...run,
  kind: z.literal("unanswered"),
  at: z.iso.datetime(),
  place: z.string(),
  code: FailureCode,
  message: z.string().optional().describe("in records that keep calls apart"),
  tries: z.array(FailedTry).describe("every attempt at the call, since each may have been billed"),
});

/**
 * Opens a ledger: the whole condition and the number of planned runs. It is written again when the plan is extended, and
 * when another version of the library resumes the ledger.
 */
export type Declaration<Plan = Condition, Event = DeliberationEvent> =
  & Readonly<Omit<z.infer<typeof Declared>, "condition" | "base">>
  & { readonly condition: Plan; readonly base?: Event[] | undefined };

/** One event of one attempt at one replicate. */
export type LedgerEntry<Event = DeliberationEvent> =
  & Readonly<Omit<z.infer<typeof Entry>, "event">>
  & { readonly event: Event };

/** A call that has an outcome, in protocols whose events do not hold it. */
export type RecordedCall = Readonly<z.infer<typeof Called>>;

/** A call that the endpoint left without an outcome: its run stays open before that place. */
export type UnansweredCall = Readonly<z.infer<typeof Unanswered>>;

/** A look at the runs that there are, after which the design goes on or ends. */
export type LookLine = Readonly<z.infer<typeof Looked>>;

/** A line about one run. */
export type RunLine<Event = DeliberationEvent> = LedgerEntry<Event> | RecordedCall | UnansweredCall;

export type LedgerLine<Plan = Condition, Event = DeliberationEvent> =
  | Declaration<Plan, Event>
  | LookLine
  | RunLine<Event>;

/** The schema of a line of a protocol's ledgers, from those of its plans and events. */
export function ledgerLine<Plan, Event>(
  protocol: string,
  { plan, event }: { readonly plan: z.ZodType<Plan>; readonly event: z.ZodType<Event> },
): z.ZodType<LedgerLine<Plan, Event>> {
  const schema = z.enum([sealedSchema(protocol), unsealedSchema(protocol)]);
  return z.discriminatedUnion("kind", [
    Declared.extend({ schema, condition: plan, base: z.array(event).min(1).optional() }),
    Looked.extend({ schema }),
    Entry.extend({ schema, event }),
    Called.extend({ schema }),
    Unanswered.extend({ schema }),
  ]) as z.ZodType<LedgerLine<Plan, Event>>;
}

/** A line of a committee's ledger. */
export const LedgerLine = ledgerLine("deliberation", { plan: Condition, event: DeliberationEvent });
