import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import type { ChatModel } from "@/model/chat_model.ts";
import { scripted, type ScriptedReply } from "@/model/replay.ts";
import type { ChatRequest } from "@/schema/model_call.ts";
import type { StationEvent } from "@/schema/station_event.ts";
import { ACTIONS, COUNCIL, type CouncilRole, type Plan } from "@/schema/station_ids.ts";
import { applyEvent, initialState } from "@/station/apply_event.ts";
import { answer } from "@/record/protocol.ts";
import { fillSlot, type SlotContext } from "@/station/fill_slot.ts";
import { RULES } from "@/station/rules.ts";
import { runStation, type RunStationOptions } from "@/station/run_station.ts";
import type { StationProposal, StationState } from "@/station/state.ts";

/** Stations, plans, councils and events that the tests of the engine share. */

export type ActionTaken = Extract<StationEvent, { kind: "action.taken" }>;

/** Within every budget; seats, life support and docking are met in full. */
export const PLAN: Plan = {
  seats: { outer_ring: 45, crew: 27, sponsor_deck: 17, medical: 11 },
  power: { life_support: 40, docking: 25, outer_ring: 15, sponsor_deck: 10, comms: 10 },
};

export const V1 = { schemaShown: false, normaliser: false };
export const V2 = { schemaShown: true, normaliser: true };
export const RULESETS = [V1, V2, { schemaShown: true, normaliser: false }, { schemaShown: false, normaliser: true }];

export const LABELS = { runId: "r", model: "m", synthetic: true, made: { library: "0", deno: "0" } };

/** The station at its start, with some of it otherwise. */
export const station = (change: Partial<StationState> = {}): StationState => ({ ...initialState(), ...change });

export const rumor = (id: string, heat: number, growth = 1) => ({
  id,
  heat,
  growth,
  text: `text of ${id}`,
  from: "X1_RUMOR",
});

export const proposal = (change: Partial<StationProposal> = {}): StationProposal => ({
  id: "P1",
  by: "C3_ENGINEER",
  round: 1,
  origin: "model",
  status: "open",
  plan: PLAN,
  votes: { C3_ENGINEER: 4 },
  ...change,
});

const READ = { rawValid: true, normalisedValid: true, repairs: [] };

/** An action that a model took and that was read as written. */
export const taken = (change: Partial<ActionTaken> & Pick<ActionTaken, "action">): ActionTaken => ({
  kind: "action.taken",
  round: 2,
  role: "C1_COMMAND",
  origin: { kind: "model", calls: [0] },
  reading: READ,
  ...change,
});

export const filing = (change: Partial<NonNullable<ActionTaken["filing"]>> = {}) => ({
  id: "P9",
  text: JSON.stringify(PLAN),
  reading: READ,
  plan: PLAN,
  ...change,
});

/** A reply as `StationReply` wants it. */
export const say = (action: string, more: Record<string, unknown> = {}): string => JSON.stringify({ action, ...more });

/** Numbers to ten decimals, so that sums by hand and by machine can be compared; the rest as it stands. */
export const rounded = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (_, item) => (typeof item === "number" ? Number(item.toFixed(10)) : item)));

/** `after` is `before` with these changes, to ten decimals, and nothing else moved. */
export function assertMoved(after: StationState, before: StationState, change: Partial<StationState>): void {
  assert.deepEqual(rounded(after), rounded({ ...before, ...change }));
}

export const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

/** Everything that happens in a run. */
export const run = (options: Partial<RunStationOptions> = {}): Promise<StationEvent[]> =>
  Array.fromAsync(runStation({ seed: 1, ruleset: V2, council: "none", ...options }));

export const replay = (events: readonly StationEvent[]): StationState =>
  events.reduce((state, event) => applyEvent(state, event), initialState());

/** Every state a run goes through, the start first. */
export function states(events: readonly StationEvent[]): StationState[] {
  const all = [initialState()];
  for (const event of events) all.push(applyEvent(all.at(-1)!, event));
  return all;
}

export const ofKind = <K extends StationEvent["kind"]>(events: readonly StationEvent[], kind: K) =>
  events.filter((event): event is Extract<StationEvent, { kind: K }> => event.kind === kind);

/** Events as a ledger gives them back. */
export const stored = (events: readonly StationEvent[]): StationEvent[] => JSON.parse(JSON.stringify(events));

/** Which role a request is for, from its system prompt. */
export function roleOf({ messages }: ChatRequest): CouncilRole {
  const role = COUNCIL.find((each) => messages[0]!.content.includes(` as ${each} (`));
  return role ?? assert.fail(`no role in ${messages[0]!.content}`);
}

/** The round a request is in. */
export const roundOf = ({ messages }: ChatRequest): number => Number(/^ROUND (\d)/.exec(messages[1]!.content)![1]);

/** A council that answers by request alone, so that it goes on the same way after a stop; its requests are kept. */
export function council(answer: (request: ChatRequest) => ScriptedReply): { chat: ChatModel; requests: ChatRequest[] } {
  const requests: ChatRequest[] = [];
  return {
    requests,
    chat: (request, options) => scripted([answer(requests[requests.push(request) - 1]!)])(request, options),
  };
}

/** What gets a plan through: endorse the first open proposal, put one up where there is none. */
export function follow({ messages }: ChatRequest): string {
  const open = /\nOPEN PROPOSALS\n(P\d+) by /.exec(messages[1]!.content)?.[1];
  return open === undefined ? say("propose", { proposal: PLAN }) : say("endorse", { target: open });
}

/**
 * A lively council: most follow; now and then someone is unreadable, writes a plan in a dialect, or does something else,
 * not always to something that is there. Depends on the request alone.
 */
export const lively = () =>
  council((request) => {
    const rng = createRng(request.seed);
    const dice = rng.next();
    if (dice < 0.1) return "I would rather not say.";
    if (dice < 0.2) return say("propose", { proposal: { ...PLAN, seats: { ...PLAN.seats, crew: "27 seats" } } });
    if (dice > 0.5) return follow(request);
    const target = rng.int(2) === 0 ? "P1" : "C2_EQUITY";
    return say(ACTIONS[rng.int(ACTIONS.length)]!, { target, support: true, statement: "So be it." });
  });

/** What a slot is filled by, around one council. */
export const slotContext = (change: Partial<SlotContext> = {}): SlotContext => ({
  model: "m",
  temperature: 0,
  maxTokens: 100,
  ruleset: V2,
  rng: createRng(1),
  rules: RULES,
  calls: 0,
  ...change,
});

/** C1_COMMAND's slot, its calls answered by a council. */
export async function fillCommand(
  state: Parameters<typeof fillSlot>[0],
  chat: ChatModel | "none",
  change: Partial<SlotContext> = {},
): Promise<ActionTaken> {
  const context = slotContext(chat === "none" ? { ...change, model: undefined } : change);
  const step = fillSlot(state, "C1_COMMAND", [], context);
  return "event" in step ? step.event : await answer(step, chat as ChatModel);
}
