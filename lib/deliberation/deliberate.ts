import { contentHash } from "../core/json.ts";
import { checkOptions, described } from "../core/options.ts";
import type { Issue, Result } from "../core/result.ts";
import { createRng, type Rng } from "../core/rng.ts";
import { type ChatModel, ModelError, type SeatedBy, seatedModel } from "../model/chat_model.ts";
import type { Condition } from "../schema/condition.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import type { ChatReply } from "../schema/model_call.ts";
import { conditionName } from "./condition_name.ts";
import { decide, nextStep, type Step } from "./next_step.ts";
import { readStateLine } from "./normalise_state_line.ts";
import { parseBallot, parseClerkReport } from "./parse_vote.ts";
import { askedWith, type Asking, createPrompter, type Prompter } from "./prompt.ts";
import { applyEvent, type DeliberationState, initialState } from "./state.ts";

/** Who answers, which run it is, and where to resume. */
export type DeliberateOptions = SeatedBy & {
  /** Index of the run within its condition, from 0. */
  readonly replicate: number;
  /** Master seed. Every call's seed follows from it, the condition's name, the replicate and the call's place. */
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
  /** Events of the same condition to resume from; nothing in them is asked again. */
  readonly resumeFrom?: readonly DeliberationEvent[] | undefined;
};

/**
 * Runs one committee by the windowed-summary protocol (S2) and yields what happens, event by event.
 *
 * With `resumeFrom`, only the new events are yielded. Under the prefix's own seed and replicate the whole is the same
 * run as one never stopped; under another it is a continuation, which opens with `run.forked`: K seeds give K
 * continuations of one state.
 *
 * An agent whose STATE line stays unreadable after one repair request, or who does not answer, ends the run with
 * `run.closed`, outcome `flagged` and its cause. Nothing is filled in for it.
 *
 * @throws {ModelError} when the endpoint refuses every call (`auth`, `quota`), and {Unanswered} when it left a call
 * without an outcome; the run is then left open, to resume.
 * @throws the signal's reason when aborted; the events yielded so far are good to resume from.
 * @throws {RangeError} when `resumeFrom` belongs to another condition, or is a closed run under another seed.
 */
export async function* deliberate(condition: Condition, options: DeliberateOptions): AsyncGenerator<DeliberationEvent> {
  checkOptions("deliberate", options, "council chat replicate! seed! signal resumeFrom");
  if (typeof condition?.packet !== "object") {
    throw new TypeError(`the condition is ${described(condition)}: load it first, await loadCondition(spec)`);
  }
  const { replicate, seed, signal, resumeFrom = [] } = options;
  const hash = conditionHash(condition);
  const calls = {
    chat: seatedModel(options),
    condition,
    prompter: createPrompter(condition),
    rng: runRng(condition, seed, replicate),
    signal,
  };
  if (resumeFrom.length > 0 && resumeFrom[0]!.kind !== "run.opened") {
    throw new RangeError(`resumeFrom begins with ${resumeFrom[0]!.kind}: it must be a run from its run.opened on`);
  }
  let state = resumeFrom.reduce(applyEvent, initialState(condition));
  const fork = forkEvent(state, hash, seed, replicate);
  if (fork) {
    state = applyEvent(state, fork);
    yield fork;
  }
  for (;;) {
    signal?.throwIfAborted();
    const step = nextStep(state, condition);
    if (step.kind === "done") return;
    const event = await act(step, state, calls, { kind: "run.opened", seed, replicate, condition: hash });
    state = applyEvent(state, event);
    yield event;
  }
}

const hashes = new WeakMap<Condition, string>();

/** SHA-256 of everything that makes the condition: what ledgers are keyed by. */
export function conditionHash(condition: Condition): string {
  const known = hashes.get(condition);
  if (known !== undefined) return known;
  const hash = contentHash(condition);
  hashes.set(condition, hash);
  return hash;
}

/** The stream that a run's calls are seeded from: each by the fork of its place. */
export const runRng = (condition: Condition, seed: number, replicate: number): Rng =>
  createRng(seed).fork(conditionName(condition)).fork(replicate);

function forkEvent(
  { opened, closed }: DeliberationState,
  hash: string,
  seed: number,
  replicate: number,
): DeliberationEvent | undefined {
  if (opened === undefined) return undefined;
  if (opened.condition !== hash) {
    throw new RangeError(
      `resumeFrom belongs to condition ${opened.condition.slice(0, 12)}, this is ${hash.slice(0, 12)}`,
    );
  }
  if (opened.seed === seed && opened.replicate === replicate) return undefined;
  if (closed) throw new RangeError("resumeFrom is a closed run: cut it before the event to resume from");
  return { kind: "run.forked", seed, replicate, fromSeed: opened.seed, fromReplicate: opened.replicate };
}

/** Where in a run a turn's call stands. */
export const turnPlace = (round: number, seat: number, again: boolean): string => `turn/${round}/${seat}/${again}`;

interface Calls {
  readonly chat: ChatModel;
  readonly condition: Condition;
  readonly prompter: Prompter;
  readonly rng: Rng;
  readonly signal: AbortSignal | undefined;
}

/** The one place where models act: a step becomes the event that records its outcome. */
async function act(
  step: Exclude<Step, { kind: "done" }>,
  state: DeliberationState,
  calls: Calls,
  opening: DeliberationEvent,
): Promise<DeliberationEvent> {
  if (step.kind === "open") return opening;
  if (step.kind === "decide" || step.kind === "close") return settled(step.kind, state, calls.condition);
  return answered(step, await ask(step, state, calls), calls.condition);
}

/** What follows from the state alone. */
export function settled(kind: "decide" | "close", state: DeliberationState, condition: Condition): DeliberationEvent {
  if (kind === "decide") return decide(state, condition);
  const { flaw } = state;
  return flaw === undefined
    ? { kind: "run.closed", outcome: "complete" }
    : { kind: "run.closed", outcome: "flagged", cause: flaw };
}

/** The event of a call that has been made, its reply read by the condition's rules. */
export function answered(step: Asking, call: Call, { packet, seats, normaliser }: Condition): DeliberationEvent {
  const rules = { optionCount: packet.options.length, seats: seats.length, normaliser: normaliser === true };
  switch (step.kind) {
    case "turn": {
      const { seats: _, ...state } = rules;
      const reading = read(call, (text) => readStateLine(text, state));
      return { kind: "turn.answered", round: step.round, again: step.again, ...call.record, reading };
    }
    case "ballot": {
      const reading = read(call, (text) => parseBallot(text, rules));
      return { kind: "ballot.answered", again: step.again, ...call.record, reading };
    }
    case "clerk":
      return { kind: "clerk.answered", ...call.record, reading: read(call, (text) => parseClerkReport(text, rules)) };
  }
}

/** Where a call stands among those of its run: its seed follows from it. */
export function placeOf(step: Asking): string {
  if (step.kind === "clerk") return "clerk";
  return step.kind === "turn" ? turnPlace(step.round, step.seat, step.again) : `ballot/${step.seat}/${step.again}`;
}

/** A call and what came of it. */
export type Call =
  | { readonly record: { seat: number; seed: number; reply: ChatReply }; readonly failure?: never }
  // What came of a paid reply that could not be used, such as one cut off, stays on record.
  | {
    readonly record: { seat: number; seed: number; reply?: ChatReply };
    readonly failure: Pick<ModelError, "code" | "message">;
  };

async function ask(
  step: Asking,
  state: DeliberationState,
  { chat, condition, prompter, rng, signal }: Calls,
): Promise<Call> {
  const place = placeOf(step);
  const seat = step.kind === "clerk" ? 0 : step.seat;
  const { key: seed } = rng.fork(place);
  const request = { messages: prompter(state, step), seed, ...askedWith(step, condition) };
  try {
    return { record: { seat, seed, reply: await chat(request, { signal, place }) } };
  } catch (error) {
    if (!(error instanceof ModelError) || error.fatal) throw error;
    return { record: { seat, seed, ...(error.received && { reply: error.received }) }, failure: error };
  }
}

function read<T>(
  { record, failure }: Call,
  parse: (text: string) => Result<{ value: T; repairs: readonly string[] }, Issue>,
) {
  if (failure) return { kind: "missing" as const, code: failure.code, message: failure.message };
  const result = parse(record.reply.text);
  if (!result.ok) return { kind: "invalid" as const, ...result.issue };
  const { value, repairs } = result.value;
  return repairs.length === 0
    ? { kind: "read" as const, value }
    : { kind: "normalised" as const, value, repairs: [...repairs] };
}
