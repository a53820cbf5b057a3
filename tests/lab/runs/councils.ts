import type { ChatModel } from "@/model/chat_model.ts";
import { surrogate } from "@/model/surrogate/surrogate.ts";
import type { Council } from "@/lab/live/council.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import type { Ledger } from "@/record/read_ledger.ts";
import { loadSurrogateParameters } from "@/lab/live/scenarios.ts";
import type { DeliberationEvent } from "@/schema/deliberation_event.ts";
import type { ChatRequest } from "@/schema/model_call.ts";

/** What tests of running conditions share: a small condition, and councils that are counted, stopped or faulty. */

/** Two agents and two rounds: seven calls a run, more where a reply is spoilt. */
export const condition = await loadCondition({ scenario: "HL-01", agents: 2, rounds: 2 });

/** Every fifth first reply is spoilt, so that repair requests are among the calls; every repair can be read. */
export const parameters = { ...await loadSurrogateParameters(), malformedShare: 0.2, malformedAgainShare: 0 };

/** Surrogates as a council, in which `chat` may stand before them. */
export function council(
  wrap: (chat: ChatModel) => ChatModel = (chat) => chat,
  overrides: Partial<Council> = {},
): Council {
  const chat = wrap(surrogate(parameters));
  return { chat, identity: "test", synthetic: true, live: false, concurrency: 1, ...overrides };
}

/** Of a council whose every reply has been paid for. */
export const LIVE: Partial<Council> = { synthetic: false };

/** A council that keeps every request it answered. */
export function counting(overrides: Partial<Council> = {}): { council: Council; requests: ChatRequest[] } {
  const requests: ChatRequest[] = [];
  const keep = (chat: ChatModel): ChatModel => (request, options) => {
    requests.push(request);
    return chat(request, options);
  };
  return { council: council(keep, overrides), requests };
}

/** Runs without their order of opening, which concurrency may change. */
export const runsOf = ({ runs }: Ledger) =>
  runs.toSorted((a, b) => a.replicate - b.replicate || a.attempt - b.attempt)
    .map(({ replicate, attempt, events }) => ({ replicate, attempt, events }));

/** How many of the events record a call. */
export const answered = (events: readonly DeliberationEvent[]): number =>
  events.filter(({ kind }) => kind.endsWith(".answered")).length;

/** Calls that the runs of a ledger took. */
export const callsIn = ({ runs }: Ledger): number => runs.reduce((sum, { events }) => sum + answered(events), 0);
