import { known } from "../core/known.ts";
import type { Rng } from "../core/rng.ts";
import { quotedReply } from "../core/text.ts";
import { type ChatModel, ModelError } from "../model/chat_model.ts";
import type { ChatMessage } from "../schema/model_call.ts";
import type { Mosaic } from "../schema/mosaic.ts";
import type { ActionTaken, Reading, StationEvent, Switches } from "../schema/station_event.ts";
import { type ActionName, COUNCIL, type CouncilRole } from "../schema/station_ids.ts";
import { planFlaw } from "./executability.ts";
import { fallback } from "./fallback.ts";
import { parseProposal } from "./parse_proposal.ts";
import { parseReply, type ReadReply } from "./parse_reply.ts";
import { constant, RULES } from "./rules.ts";
import { roleView } from "./role_view.ts";
import type { StationState } from "./state.ts";
import { actionFormat, repairPrompt, stationPrompt } from "./station_prompt.ts";

/** Why a readable action has no effect. */
type RefusalCode =
  | "action_not_allowed"
  | "unknown_proposal"
  | "proposal_not_open"
  | "own_proposal"
  | "unknown_role"
  | "own_role"
  | "unknown_rumor"
  | "no_tokens";

const TOKENS: Partial<Record<ActionName, string>> = {
  fact_check: "factTokens",
  audit: "auditTokens",
  poll: "pollTokens",
};

/**
 * Whether an action is open to a role now: its office may do it, what it aims at exists, and it can be paid for. A
 * refused action counts as the role's act of the round and is recorded with its code.
 */
export function refusal(
  state: StationState,
  role: CouncilRole,
  { action, target }: { action: ActionName; target?: string | undefined },
  rules: Mosaic = RULES,
): RefusalCode | undefined {
  if (rules.actions[action].roles?.includes(role) === false) return "action_not_allowed";
  const tokens = TOKENS[action];
  if (tokens !== undefined && state.tokens < constant(rules.act, tokens)) return "no_tokens";
  switch (action) {
    case "endorse":
    case "oppose":
    case "vote":
    case "fork_proposal": {
      const proposal = state.proposals.find(({ id }) => id === target);
      if (proposal === undefined) return "unknown_proposal";
      if (proposal.status !== "open") return "proposal_not_open";
      return action === "endorse" && proposal.by === role ? "own_proposal" : undefined;
    }
    case "form_coalition":
    case "bribe":
      if (!COUNCIL.some((other) => other === target)) return "unknown_role";
      return target === role ? "own_role" : undefined;
    case "fact_check":
      return target === undefined || state.rumors.some(({ id }) => id === target) ? undefined : "unknown_rumor";
    default:
      return undefined;
  }
}

/** Who answers and by which rules a slot is read. */
export interface SlotContext {
  readonly council: ChatModel | "none";
  readonly model: string;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly structured?: boolean | undefined;
  readonly reasoningEffort?: string | undefined;
  readonly ruleset: Switches;
  readonly rng: Rng;
  readonly rules: Mosaic;
  readonly signal: AbortSignal | undefined;
  /** Model calls made before this slot. */
  readonly calls: number;
}

/** Cause of a fallback where no model answers at all (the station paper's, section 6). */
export const NO_MODEL = "model_error:empty_model_output";

/**
 * One role's turn: the one place where models act.
 *
 * A reply is unusable when its action, or the plan it puts up, cannot be read by the ruleset; then there is one repair
 * request. A plan that stays unreadable is filed as invalid, since the role did act; only where no usable action came
 * back does the clerk fall back, with the cause on record.
 */
export async function fillSlot(
  state: StationState,
  role: CouncilRole,
  past: readonly StationEvent[],
  context: SlotContext,
): Promise<ActionTaken> {
  const { council, ruleset, rules } = context;
  if (council === "none") return fallBack(state, role, NO_MODEL, [], rules);
  let messages = stationPrompt(roleView(state, role, past, rules), ruleset, rules);
  const calls: number[] = [];
  const readings: SlotReading[] = [];
  for (const attempt of [0, 1]) {
    const answer = await ask(council, messages, `${state.round}/${role}/${attempt}`, context);
    calls.push(context.calls + attempt);
    if (typeof answer !== "string") return settle(state, role, { readings, cause: answer.cause, calls }, rules);
    const reading = readSlot(answer, ruleset);
    readings.push(reading);
    if (reading.code === undefined) break;
    messages = repairPrompt(messages, quotedReply(answer, context.maxTokens), reading.code, ruleset, rules);
  }
  return settle(state, role, { readings, calls }, rules);
}

/** What a slot's calls brought: their words as read, and why the last of them brought none. */
export interface SlotReplies {
  readonly readings: readonly SlotReading[];
  /** Why the last call brought no words. */
  readonly cause?: string | undefined;
  readonly calls: readonly number[];
}

/**
 * The event that a slot's replies amount to: the first usable reply; else the last whose action at least
 * could be read, its plan filed as invalid; else the clerk's fallback.
 */
export function settle(
  state: StationState,
  role: CouncilRole,
  { readings, cause, calls }: SlotReplies,
  rules: Mosaic,
): ActionTaken {
  const chosen = readings.find(({ code }) => code === undefined) ??
    readings.findLast(({ reply }) => reply !== undefined);
  if (chosen?.reply) return taken(state, role, chosen, chosen.reply, [...calls], rules);
  const unread = readings.at(-1);
  const why = cause ?? (unread?.code === undefined ? NO_MODEL : `unreadable_action:${unread.code}`);
  const event = fallBack(state, role, why, [...calls], rules);
  return unread ? { ...event, reading: unread.reading } : event;
}

async function ask(
  council: ChatModel,
  messages: ChatMessage[],
  place: string,
  { model, temperature, maxTokens, structured, reasoningEffort, rng, signal }: SlotContext,
): Promise<string | { cause: string }> {
  try {
    const asked = { model, messages, temperature, seed: rng.fork(place).key, maxTokens, ...known({ reasoningEffort }) };
    const request = structured ? { ...asked, responseFormat: actionFormat() } : asked;
    const { text } = await council(request, { signal, place });
    return text.trim() === "" ? { cause: NO_MODEL } : text;
  } catch (error) {
    if (!(error instanceof ModelError) || error.fatal) throw error;
    return { cause: error.code === "empty" ? NO_MODEL : `model_error:${error.code}` };
  }
}

/** A reply through both parsers, and what the ruleset makes of it. */
interface SlotReading {
  readonly reading: Reading;
  /** Absent where the action could not be read. */
  readonly reply?: ReadReply;
  readonly filing?: {
    readonly text: string;
    readonly reading: Reading;
    readonly plan?: NonNullable<ActionTaken["filing"]>["plan"];
  };
  /** Why the reply is unusable. */
  readonly code?: string;
}

/** Reads a reply strictly and with the normaliser, and goes by the one that the ruleset names. */
export function readSlot(text: string, { normaliser }: Pick<Switches, "normaliser">): SlotReading {
  const strict = parseReply(text, { normaliser: false });
  // What the strict parser can read, the normaliser leaves as it is.
  const lenient = strict.ok ? strict : parseReply(text, { normaliser: true });
  const used = normaliser ? lenient : strict;
  const reading: Reading = {
    rawValid: strict.ok,
    normalisedValid: lenient.ok,
    repairs: used.ok ? [...used.value.repairs] : [],
    ...(!used.ok && { code: used.issue.code }),
  };
  if (!used.ok) return { reading, code: used.issue.code };
  const reply = used.value;
  if (reply.proposalText === undefined) return { reading, reply };
  const filing = readPlan(reply.proposalText, normaliser, reading.rawValid);
  return { reading, reply, filing, ...(filing.reading.code !== undefined && { code: filing.reading.code }) };
}

function readPlan(text: string, normaliser: boolean, rawReply: boolean): NonNullable<SlotReading["filing"]> {
  const strict = parseProposal(text, { normaliser: false });
  const lenient = strict.ok ? strict : parseProposal(text, { normaliser: true });
  const used = normaliser ? lenient : strict;
  const reading: Reading = {
    // A plan that only came to light by repairing the reply around it was not valid as written.
    rawValid: rawReply && strict.ok,
    normalisedValid: lenient.ok,
    repairs: used.ok ? [...used.value.repairs] : [],
    ...(!used.ok && { code: used.issue.code }),
  };
  return { text, reading, ...(used.ok && { plan: used.value.plan }) };
}

function taken(
  state: StationState,
  role: CouncilRole,
  { reading, filing }: SlotReading,
  { action, target, support, statement }: ReadReply,
  calls: number[],
  rules: Mosaic,
): ActionTaken {
  const flaw = filing?.plan && planFlaw(filing.plan, rules);
  const refused = refusal(state, role, { action, target }, rules);
  const filed = filing && { id: refused === undefined ? nextId(state) : NO_ID, ...filing, ...known({ flaw }) };
  return {
    kind: "action.taken",
    round: state.round,
    role,
    origin: { kind: "model", calls },
    reading,
    action,
    ...known({ target, support, statement, filing: filed, refused }),
  };
}

function fallBack(state: StationState, role: CouncilRole, cause: string, calls: number[], rules: Mosaic): ActionTaken {
  const chosen = fallback(state, role, rules);
  const event = {
    kind: "action.taken",
    round: state.round,
    role,
    origin: { kind: "fallback", cause, calls },
    action: chosen.action,
  } as const;
  switch (chosen.action) {
    case "propose": {
      const reading = { rawValid: true, normalisedValid: true, repairs: [] };
      return { ...event, filing: { id: nextId(state), text: JSON.stringify(chosen.plan), reading, plan: chosen.plan } };
    }
    case "endorse":
      return { ...event, target: chosen.target };
    case "broadcast":
      return { ...event, statement: chosen.statement };
    case "observe":
      return event;
  }
}

/** A plan that came with a refused action is on record, but it is no proposal and takes no number. */
const NO_ID = "none";

const nextId = ({ proposals }: StationState): string => `P${proposals.length + 1}`;
