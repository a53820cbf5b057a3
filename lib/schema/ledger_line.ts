import * as z from "zod";
import { Condition } from "./condition.ts";
import { DeliberationEvent } from "./deliberation_event.ts";
import { FailedTry, FailureCode, ModelCall } from "./model_call.ts";
import { LOOK, type Look, Until } from "./until.ts";

/** The schema of a protocol's ledger lines as they are written: each with its number and a checksum. */
export const sealedSchema = (protocol: string): string => `${protocol}-ledger/2`;
/** The schema of lines written before 0.2.0, without either; they are still read. */
export const unsealedSchema = (protocol: string): string => `${protocol}-ledger/1`;

/** The software that made a run: enough to make the run again. */
export type Provenance = {
  /** Version of this library. */
  library: string;
  /** Git commit of the library; absent where it is not known. */
  commit?: string | undefined;
  deno: string;
  /** Hash of the source that makes runs; absent where it could not be read. */
  code?: string | undefined;
};
export const Provenance: z.ZodType<Provenance> = z.strictObject({
  library: z.string(),
  commit: z.string().optional(),
  deno: z.string(),
  code: z.string().optional(),
});

/** The fields that sealing adds to a line; absent in lines of the first version, and before a line is written. */
type Seal = {
  schema: string;
  /** Counts the lines in order of writing. */
  n?: number | undefined;
  /** CRC-32 of the line up to here, begun with that of the line before it in its run. */
  check?: string | undefined;
};
const seal = { schema: z.string(), n: z.int().min(1).optional(), check: z.string().regex(/^[0-9a-f]{8}$/).optional() };

const Declared = z.strictObject({
  ...seal,
  kind: z.literal("declared"),
  at: z.iso.datetime(),
  hash: z.string(),
  name: z.string(),
  condition: z.unknown(),
  target: z.int().min(1),
  seed: z.int(),
  council: z.string(),
  synthetic: z.boolean(),
  promptPack: z.string(),
  base: z.array(z.unknown()).min(1).optional(),
  registered: z.string().optional(),
  until: Until.optional(),
  unplanned: z.literal(true).optional(),
  made: Provenance,
});

const Looked = z.strictObject({
  ...seal,
  ...LOOK,
  kind: z.literal("look"),
  at: z.iso.datetime(),
  hash: z.string(),
  design: z.string(),
});

type RunSeal = Seal & { hash: string; replicate: number; attempt: number };
const run = { ...seal, hash: z.string(), replicate: z.int().min(0), attempt: z.int().min(1) };

const Entry = z.strictObject({ ...run, kind: z.literal("event"), at: z.iso.datetime().optional(), event: z.unknown() });

const Called = z.strictObject({ ...run, kind: z.literal("call"), call: ModelCall });

const Unanswered = z.strictObject({
  ...run,
  kind: z.literal("unanswered"),
  at: z.iso.datetime(),
  place: z.string(),
  code: FailureCode,
  message: z.string().optional(),
  tries: z.array(FailedTry),
});

/**
 * Opens a ledger: the whole condition and the number of planned runs. It is written again when the plan is extended, and
 * when another version of the library resumes the ledger.
 */
export type Declaration<Plan = Condition, Event = DeliberationEvent> = Readonly<Seal> & {
  readonly kind: "declared";
  readonly at: string;
  /** Content hash of the condition; every other line names it. */
  readonly hash: string;
  readonly name: string;
  readonly condition: Plan;
  /** Planned replicates, 0…target−1. */
  readonly target: number;
  /** Master seed. */
  readonly seed: number;
  /** Who answers: live, replay, or surrogate with the hash of its parameters. */
  readonly council: string;
  readonly synthetic: boolean;
  /** Content hash of the prompt pack. */
  readonly promptPack: string;
  /** The beginning of one run, from its run.opened on: every run of this ledger continues it. */
  readonly base?: Event[] | undefined;
  /** Hash of a registered plan, in ledgers written before 0.4.0: read, and not compared on resume. */
  readonly registered?: string | undefined;
  /** The stopping design, declared before the first run. */
  readonly until?: Until | undefined;
  /** The runs go on although the design has come to its end. */
  readonly unplanned?: true | undefined;
  readonly made: Provenance;
};

/** One event of one attempt at one replicate. */
export type LedgerEntry<Event = DeliberationEvent> = Readonly<RunSeal> & {
  readonly kind: "event";
  /** Of opening and closing events: when the run began and ended. */
  readonly at?: string | undefined;
  readonly event: Event;
};

/** A call that has an outcome, in protocols whose events do not hold it. */
export type RecordedCall = Readonly<RunSeal & { kind: "call"; call: ModelCall }>;

/** A call that the endpoint left without an outcome: its run stays open before that place. */
export type UnansweredCall = Readonly<RunSeal> & {
  readonly kind: "unanswered";
  readonly at: string;
  readonly place: string;
  readonly code: FailureCode;
  /** In records that keep calls apart. */
  readonly message?: string | undefined;
  /** Every attempt at the call, since each may have been billed. */
  readonly tries: FailedTry[];
};

/** A look at the runs that there are, after which the design goes on or ends. */
export type LookLine = Readonly<Seal & Look & { kind: "look"; at: string; hash: string; design: string }>;

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
export const LedgerLine: z.ZodType<LedgerLine> = ledgerLine("deliberation", {
  plan: Condition,
  event: DeliberationEvent,
});
