import { money } from "../model/budget.ts";
import { type ChatModel, ModelError, PREFLIGHT, Unanswered } from "../model/chat_model.ts";
import type { Prices } from "../model/cost.ts";
import type { ChatReply, FailedTry } from "../schema/model_call.ts";
import { type Bill, billsOfReply, spentOn } from "./bills.ts";

/** What the calls of a session came to so far. Plain data: a log line holds it as it is. */
export interface Tally {
  /** Calls of the plan that have an outcome; repair requests are none of them. */
  readonly calls: number;
  /** Prompt and completion tokens that providers told, failed tries included. */
  readonly tokens: number;
  /** US dollars; absent where a model without a price was asked. */
  readonly usd?: number;
  /** Tries that failed, by cause. */
  readonly failed: Readonly<Record<string, number>>;
}

/** A repair request: a turn or ballot asked for again, or the second attempt at a station's slot. */
const REPAIR = /\/(?:true|1)$/;

/** Told after every call what all of them came to, and how many steps of the plan it was. */
export type OnCall = (tally: Tally, steps: 0 | 1) => void;

/** Counts the calls of all models that it is given as they come back. */
export function tallier(prices: Prices, onCall: OnCall): (chat: ChatModel) => ChatModel {
  let [calls, tokens, usd] = [0, 0, 0];
  let unpriced = false;
  const failed: Record<string, number> = {};
  const take = (place: string, bills: readonly Bill[], tries: readonly FailedTry[]) => {
    const steps = place === PREFLIGHT || REPAIR.test(place) ? 0 : 1;
    const spent = spentOn(bills, prices);
    calls += steps;
    usd += spent.usd;
    unpriced ||= spent.unpriced.length > 0;
    for (const { usage } of bills) tokens += (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0);
    for (const { code } of tries) failed[code] = (failed[code] ?? 0) + 1;
    onCall({ calls, tokens, ...(!unpriced && { usd }), failed: { ...failed } }, steps);
  };
  return (chat) => async (request, options = {}) => {
    const { model } = request;
    const { place = "" } = options;
    const answered = (reply: ChatReply | undefined) =>
      take(place, [...billsOfReply(model, reply)], reply?.failedTries ?? []);
    try {
      const reply = await chat(request, options);
      answered(reply);
      return reply;
    } catch (error) {
      if (error instanceof ModelError) answered(error.received);
      // It has no outcome yet, and will be asked again.
      if (error instanceof Unanswered) take(PREFLIGHT, error.tries.map((one) => ({ model, ...one })), error.tries);
      throw error;
    }
  };
}

/** `412k tokens, US$ 0.31, 5 tries failed (rate_limit 3, network 2)`. */
export function describeTally({ tokens, usd, failed }: Tally): string {
  const causes = Object.entries(failed).sort(([, a], [, b]) => b - a);
  const sum = causes.reduce((total, [, count]) => total + count, 0);
  return [
    `${tokens < 10_000 ? tokens : `${Math.round(tokens / 1000)}k`} tokens`,
    usd === undefined ? "cost unknown" : `US$ ${money(usd)}`,
    ...sum === 0 ? [] : [`${sum} tries failed (${causes.map(([code, count]) => `${code} ${count}`).join(", ")})`],
  ].join(", ");
}
