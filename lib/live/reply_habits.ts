import { mean, sum } from "d3-array";
import { credibleUsage, type PlannedCalls, type TokenCounter } from "../model/cost.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import type { ChatReply } from "../schema/model_call.ts";
import { readPreflight } from "./preflight.ts";
import type { Ledger } from "../record/read_ledger.ts";

/** The length of a model's replies and its way of counting: by its replies so far, else as the prompt asks. */
interface Habits {
  /** Tokens of an argument as others are shown it, by our own count. */
  readonly argument: number;
  /** Tokens billed for a turn, thinking and STATE line among them; for a ballot; and for an action of the station. */
  readonly turn: number;
  readonly ballot: number;
  readonly action: number;
  /** Prompt tokens billed for one of our own count. */
  readonly prompt: number;
  /** Repair requests for one first reply. */
  readonly repairs: number;
}

/** Tokens of 110 words, at the 1.25 a word of our packets and mandates, and of a STATE line. */
const ARGUMENT = 138, STATE_LINE = 30;

/** A plan and a statement in JSON, at about a token for four characters. */
const ACTION = 200;

const USUAL: Habits = {
  ...{ argument: ARGUMENT, turn: ARGUMENT + STATE_LINE, ballot: 14, action: ACTION, prompt: 1, repairs: 0.01 },
};

/** A call as a run will make it, its prompt by our own count. */
export interface ExpectedCall {
  readonly model: string;
  readonly kind: "turn" | "ballot" | "action";
  readonly prompt: number;
}

export type HabitsByModel = Map<string, Habits>;

export const habitsWith = (habits: HabitsByModel, model: string): Habits => habits.get(model) ?? USUAL;

/** The expected bill of a call, as far as its model's habits are known. */
export function billed({ model, kind, prompt }: ExpectedCall, habits: HabitsByModel): PlannedCalls {
  const own = habitsWith(habits, model);
  const times = kind === "turn" ? 1 + own.repairs : 1;
  return {
    model,
    promptTokens: Math.round(times * prompt * own.prompt),
    completionTokens: Math.round(own[kind] + (times - 1) * STATE_LINE),
    count: 1,
  };
}

type Answered = Extract<DeliberationEvent, { kind: "turn.answered" | "ballot.answered" | "clerk.answered" }>;

/** The events of slots in order, without repair requests and second ballots. */
export const firstReplies = (events: readonly DeliberationEvent[]): Answered[] =>
  events.filter((event): event is Answered => "seat" in event && !("again" in event && event.again));

/** A reply with its argument as long as expected. */
export function lengthened(text: string, { argument }: Habits, counter: TokenCounter): string {
  const at = text.indexOf("STATE:");
  const words = text.slice(0, at).trim();
  const tokens = counter.text(words);
  const fitting = tokens < argument
    ? words + " more".repeat(Math.round(argument - tokens))
    : words.slice(0, Math.round(words.length * argument / tokens));
  return `${fitting}\n${text.slice(at)}`;
}

/** Arguments that are counted of a model: their mean does not change much with more. */
const COUNTED = 200;

/** Models' habits by the ledgers; by the preflights in some folders, where those hold nothing of them. */
export async function habitsOf(
  held: readonly (Ledger | undefined)[],
  roots: readonly string[],
  counter: TokenCounter,
): Promise<HabitsByModel> {
  const replies = held.flatMap((ledger) =>
    (ledger?.runs ?? []).flatMap(({ events }) =>
      events.flatMap((event) => {
        if (!("seat" in event) || !event.reply || event.reading.kind === "missing") return [];
        const kind = event.kind !== "turn.answered" ? "ballot" : event.again ? "repair" : "turn";
        return [{ model: ledger!.declaration.condition.seats[event.seat]!.model, kind, reply: event.reply }];
      })
    )
  );
  const habits: HabitsByModel = new Map();
  for (const { request: { model, messages }, reply } of (await Promise.all(roots.map(readPreflight))).flat()) {
    // A reply to a repair request is no measure of others.
    if (!reply || messages.some(({ role }) => role === "assistant")) continue;
    const { promptTokens = counter.prompt(messages), completionTokens: action = ACTION } = credibleUsage(reply) ?? {};
    const prompt = promptTokens / counter.prompt(messages);
    habits.set(model, { ...USUAL, ...turnHabits([reply], counter), action, prompt });
  }
  for (const [model, own] of Map.groupBy(replies, (one) => one.model)) {
    const [turns, ballots, repairs] = ["turn", "ballot", "repair"].map((kind) =>
      own.flatMap((one) => one.kind === kind ? [one.reply] : [])
    ) as [ChatReply[], ChatReply[], ChatReply[]];
    habits.set(model, {
      ...habitsWith(habits, model),
      ...(turns.length > 0 && { ...turnHabits(turns, counter), repairs: repairs.length / turns.length }),
      ...(ballots.length > 0 && { ballot: mean(ballots, (reply) => completionOf(reply, counter))! }),
    });
  }
  return habits;
}

function turnHabits(turns: readonly ChatReply[], counter: TokenCounter): Pick<Habits, "argument" | "turn"> {
  const argument = mean(turns.slice(0, COUNTED), ({ text }) => counter.text(text.replace(/^STATE:.*$/m, "").trim()))!;
  return { argument, turn: mean(turns, (reply) => completionOf(reply, counter))! };
}

const completionOf = (reply: ChatReply, counter: TokenCounter): number =>
  credibleUsage(reply)?.completionTokens ?? counter.text(reply.text);

/** Learns from ledgers how many prompt tokens were billed for one that was expected. */
export function correctPrompts(
  habits: HabitsByModel,
  held: readonly (Ledger | undefined)[],
  expected: readonly (readonly ExpectedCall[])[],
): void {
  const told = held.flatMap((ledger, i) =>
    (ledger?.runs ?? []).flatMap(({ events }) =>
      firstReplies(events).flatMap(({ reply }, slot) => {
        const call = expected[i]![slot];
        const usage = reply && credibleUsage(reply);
        return call && usage ? [{ ...call, told: usage.promptTokens }] : [];
      })
    )
  );
  for (const [model, own] of Map.groupBy(told, (call) => call.model)) {
    const prompt = sum(own, (one) => one.told) / sum(own, (one) => one.prompt);
    habits.set(model, { ...habitsWith(habits, model), prompt });
  }
}
