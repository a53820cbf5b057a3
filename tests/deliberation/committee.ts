import { deliberate, type DeliberateOptions } from "@/deliberation/deliberate.ts";
import { applyEvent, initialState } from "@/deliberation/state.ts";
import type { ChatModel } from "@/model/chat_model.ts";
import { scripted, type ScriptedReply } from "@/model/replay.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import type { Condition, ConditionSpec } from "@/schema/condition.ts";
import type { DeliberationEvent } from "@/schema/deliberation_event.ts";
import type { ChatRequest } from "@/schema/model_call.ts";

/** What tests of the committee share: conditions, councils that answer by rule, and ways to run and fold. */

/** IM-01 as the paper runs it, unless told otherwise. */
export const condition = (spec: Partial<ConditionSpec> = {}): Promise<Condition> =>
  loadCondition({ scenario: "IM-01", ...spec });

/** What a call asks for, told by its last message. */
export function askedFor({ messages }: ChatRequest): "turn" | "repair" | "ballot" | "ballot again" | "clerk" {
  const last = messages.at(-1)!.content;
  if (last.startsWith("CLERK:")) return "clerk";
  if (last.includes('{"decision"')) return messages.length > 2 ? "ballot again" : "ballot";
  return messages.length > 2 ? "repair" : "turn";
}

/** A STATE line for these shares. */
export const stateLine = (shares: readonly number[], confidence = 60): string =>
  `STATE: pref=[${
    shares.map((p) => Number.isInteger(p) ? p.toFixed(1) : p).join(",")
  }]; conf=${confidence}; tags=["first_tag","second_tag"]`;

/** How a scripted council answers each kind of request; `index` counts the calls before. */
export type Answers = Partial<
  Record<ReturnType<typeof askedFor>, (request: ChatRequest, index: number) => ScriptedReply>
>;

/** A council that answers every request well, in three options for A, except where `answers` says otherwise. */
export function council(answers: Answers = {}): { chat: ChatModel; requests: ChatRequest[] } {
  const requests: ChatRequest[] = [];
  const all: Required<Answers> = {
    turn: (_, index) => `Argument ${index}.\n${stateLine([0.6, 0.3, 0.1])}`,
    repair: () => stateLine([0.6, 0.3, 0.1]),
    ballot: () => '{"decision": "A", "confidence": 60}',
    "ballot again": () => '{"decision": "A", "confidence": 60}',
    clerk: () => '{"decision": "A", "majority_count": 5, "total": 5}',
    ...answers,
  };
  const chat = scripted((request, index) => {
    requests.push(request);
    return all[askedFor(request)](request, index);
  });
  return { chat, requests };
}

/** The label under which a request's agent speaks. */
export const speaker = ({ messages }: ChatRequest): string =>
  /^(?:ROLE|MEMBER): (.+)$/m.exec(messages[0]!.content)![1]!;

type Options = Partial<Omit<DeliberateOptions, "chat">>;

/** All new events of a run. */
export const run = (condition: Condition, chat: ChatModel, options: Options = {}): Promise<DeliberationEvent[]> =>
  Array.fromAsync(deliberate(condition, { chat, replicate: 0, seed: 1, ...options }));

/** The events up to the failure that ends a run, and that failure. */
export async function runUntilThrown(condition: Condition, chat: ChatModel, options: Options = {}) {
  const events: DeliberationEvent[] = [];
  try {
    for await (const event of deliberate(condition, { chat, replicate: 0, seed: 1, ...options })) events.push(event);
  } catch (thrown) {
    return { events, thrown };
  }
  throw new Error("the run came to its end");
}

/** The run's state after these events. */
export const fold = (condition: Condition, events: readonly DeliberationEvent[]) =>
  events.reduce(applyEvent, initialState(condition));

type Kind = DeliberationEvent["kind"];

/** The events of one kind. */
export const ofKind = <K extends Kind>(events: readonly DeliberationEvent[], kind: K) =>
  events.filter((event): event is Extract<DeliberationEvent, { kind: K }> => event.kind === kind);

/** Freezes a value and everything in it: whoever writes into it then throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
