import { mean, sum } from "d3-array";
import { credibleUsage, type PlannedCalls } from "../model/cost.ts";
import type { TokenCounter } from "../model/count_tokens.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import type { ChatReply, ChatRequest } from "../schema/model_call.ts";
import { readPreflight } from "./preflight.ts";
import type { Ledger } from "./read_ledger.ts";

/** How long a model's replies are and how it counts: by what it said so far, else as the prompt asks for. */
interface Habits {
  /** Tokens of an argument as others are shown it, by our own count. */
  readonly argument: number;
  /** Tokens billed for a turn, thinking and STATE line among them, and for a ballot. */
  readonly turn: number;
  readonly ballot: number;
  /** Prompt tokens billed for one of our own count. */
  readonly prompt: number;
  /** Repair requests for one first reply. */
  readonly repairs: number;
}

/** Tokens of 110 words, at the 1.25 a word of our packets and mandates, and of a STATE line. */
const ARGUMENT = 138, STATE_LINE = 30;

const USUAL: Habits = { argument: ARGUMENT, turn: ARGUMENT + STATE_LINE, ballot: 14, prompt: 1, repairs: 0.01 };

/** A call as a run will make it, its prompt by our own count. */
export interface ExpectedCall {
  readonly model: string;
  readonly kind: "turn" | "ballot";
  readonly prompt: number;
}

export type HabitsByModel = Map<string, Habits>;

export const habitsWith = (habits: HabitsByModel, model: string): Habits => habits.get(model) ?? USUAL;

/** What such a call is billed, as far as its model's habits are known. */
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

/** How models were in the ledgers; in the preflight, where those hold nothing of them. */
export async function habitsOf(
  held: readonly (Ledger | undefined)[],
  out: string | undefined,
  counter: TokenCounter,
): Promise<HabitsByModel> {
  const seen = new Map<string, { turns: ChatReply[]; ballots: ChatReply[]; repairs: number }>();
  for (const { declaration: { condition }, runs } of held.flatMap((ledger) => ledger ?? [])) {
    for (const event of runs.flatMap(({ events }) => events)) {
      if (!("seat" in event) || !event.reply || event.reading.kind === "missing") continue;
      const { model } = condition.seats[event.seat]!;
      const own = seen.get(model) ?? { turns: [], ballots: [], repairs: 0 };
      seen.set(model, own);
      if (event.kind !== "turn.answered") own.ballots.push(event.reply);
      else if (event.again) own.repairs++;
      else own.turns.push(event.reply);
    }
  }
  const habits: HabitsByModel = new Map();
  for (const { request: { model, messages }, reply } of out === undefined ? [] : await readPreflight(out)) {
    if (!reply || isRepair(messages)) continue;
    const { promptTokens = counter.prompt(messages) } = credibleUsage(reply) ?? {};
    const prompt = promptTokens / counter.prompt(messages);
    habits.set(model, { ...USUAL, ...turnHabits([reply], counter), prompt });
  }
  for (const [model, { turns, ballots, repairs }] of seen) {
    habits.set(model, {
      ...habitsWith(habits, model),
      ...(turns.length > 0 && { ...turnHabits(turns, counter), repairs: repairs / turns.length }),
      ...(ballots.length > 0 && { ballot: mean(ballots, (reply) => completionOf(reply, counter))! }),
    });
  }
  return habits;
}

/** A reply to a repair request is no measure of others. */
export const isRepair = (messages: ChatRequest["messages"]): boolean =>
  messages.some(({ role }) => role === "assistant");

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
    habits.set(model, {
      ...habitsWith(habits, model),
      prompt: sum(own, (one) => one.told) / sum(own, (one) => one.prompt),
    });
  }
}
