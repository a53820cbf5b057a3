import { contentHash } from "../core/json.ts";
import type { Issue, Result } from "../core/result.ts";
import { createRng, type Rng } from "../core/rng.ts";
import { type ChatModel, ModelError } from "../model/chat_model.ts";
import type { Condition } from "../schema/condition.ts";
import type { DeliberationEvent, StateVector } from "../schema/deliberation_event.ts";
import type { ChatReply } from "../schema/model_call.ts";
import { conditionName } from "./condition_name.ts";
import { decide, nextStep, type Step } from "./next_step.ts";
import { parseStateLine } from "./parse_state_line.ts";
import { parseBallot, parseClerkReport } from "./parse_vote.ts";
import { createPrompter, type Prompter } from "./prompt.ts";
import { applyEvent, type DeliberationState, initialState } from "./state.ts";

/** Who answers, which run it is, and where to resume. */
export interface DeliberateOptions {
  readonly chat: ChatModel;
  /** Index of the run within its condition, from 0. */
  readonly replicate: number;
  /** Master seed. Every call's seed follows from it, the condition's name, the replicate and the call's place. */
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
  /** Events of the same condition to resume from; nothing in them is asked again. */
  readonly resumeFrom?: readonly DeliberationEvent[] | undefined;
}

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
  const { chat, replicate, seed, signal, resumeFrom = [] } = options;
  const hash = conditionHash(condition);
  const calls = {
    chat,
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

const runRng = (condition: Condition, seed: number, replicate: number): Rng =>
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
  const { condition } = calls;
  const optionCount = condition.packet.options.length;
  switch (step.kind) {
    case "open":
      return opening;
    case "turn": {
      const { round, seat, again } = step;
      const call = await ask(step, state, calls, `turn/${round}/${seat}/${again}`, seat);
      return {
        kind: "turn.answered",
        round,
        again,
        ...call.record,
        reading: read(call, (text) => readState(text, optionCount)),
      };
    }
    case "ballot": {
      const { seat, again } = step;
      const call = await ask(step, state, calls, `ballot/${seat}/${again}`, seat);
      return {
        kind: "ballot.answered",
        again,
        ...call.record,
        reading: read(call, (text) => parseBallot(text, optionCount)),
      };
    }
    case "clerk": {
      const call = await ask(step, state, calls, "clerk", 0);
      return {
        kind: "clerk.answered",
        ...call.record,
        reading: read(call, (text) => parseClerkReport(text, optionCount)),
      };
    }
    case "decide":
      return decide(state, condition);
    case "close":
      return state.flaw === undefined
        ? { kind: "run.closed", outcome: "complete" }
        : { kind: "run.closed", outcome: "flagged", cause: state.flaw };
  }
}

type Call =
  | { readonly record: { seat: number; seed: number; reply: ChatReply }; readonly failure?: never }
  // What came of a paid reply that could not be used, such as one cut off, stays on record.
  | { readonly record: { seat: number; seed: number; reply?: ChatReply }; readonly failure: ModelError };

async function ask(
  step: Extract<Step, { kind: "turn" | "ballot" | "clerk" }>,
  state: DeliberationState,
  { chat, condition, prompter, rng, signal }: Calls,
  place: string,
  seat: number,
): Promise<Call> {
  const { temperature, maxTokens, seats } = condition;
  const { key: seed } = rng.fork(place);
  const request = { model: seats[seat]!.model, messages: prompter(state, step), temperature, seed, maxTokens };
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

function readState(
  text: string,
  optionCount: number,
): Result<{ value: StateVector; repairs: readonly string[] }, Issue> {
  const result = parseStateLine(text, optionCount);
  if (!result.ok) return result;
  return {
    ok: true,
    value: { value: result.value, repairs: result.value.writtenSum === undefined ? [] : ["rescaled"] },
  };
}
