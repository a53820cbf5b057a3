import { type ChatModel, Unanswered } from "@/model/chat_model.ts";
import { scripted } from "@/model/replay.ts";
import type { StationCouncil } from "@/lab/live/station_council.ts";
import type { ChatRequest, FailureCode } from "@/schema/model_call.ts";
import { COUNCIL } from "@/schema/station_ids.ts";

/** Councils for tests of station runs on file: programs that are counted, cut off or hostile. */

const PLAN = {
  seats: { outer_ring: 44, crew: 28, sponsor_deck: 17, medical: 11 },
  power: { life_support: 38, docking: 24, outer_ring: 16, sponsor_deck: 8, comms: 8 },
};

/** Role and round of a request, from its own words. */
export function turnOf({ messages }: ChatRequest): { role: string; round: number } {
  const role = COUNCIL.find((role) => messages[0]!.content.includes(`as ${role} `))!;
  return { role, round: Number(/ROUND (\d)/.exec(messages[1]!.content)![1]) };
}

/**
 * A council that depends on the request alone: engineering plans, the others back P1 with a statement. In rounds 2 and 4
 * equity's first reply cannot be read, and in round 3 neither of civil affairs' can, so that repairs and a fallback occur.
 */
export function council(statement: (role: string) => string = (role) => `${role} is for it.`): ChatModel {
  return scripted((request) => {
    const { role, round } = turnOf(request);
    const repair = request.messages.length > 2;
    if (role === "C2_EQUITY" && round % 2 === 0 && !repair) return "I would rather talk.";
    if (role === "C4_CIVIL" && round === 3) return "No words today.";
    if (role === "C3_ENGINEER" && round === 1) {
      return JSON.stringify({ action: "propose", proposal: PLAN, statement: statement(role) });
    }
    const open = request.messages[1]!.content.includes("P1");
    return JSON.stringify({
      ...(open ? { action: "endorse", target: "P1" } : { action: "speak" }),
      statement: statement(role),
    });
  });
}

/** Counts calls, and fails at one of them as a process that is killed would: with nothing recorded. */
export function interrupted(chat: ChatModel, at = Infinity): { chat: ChatModel; calls: () => number } {
  let calls = 0;
  return {
    chat: (request, options) => {
      if (calls === at) return Promise.reject(new Interruption());
      calls++;
      return chat(request, options);
    },
    calls: () => calls,
  };
}

export class Interruption extends Error {}

/** A council as a batch takes it: a program's, unless told otherwise. */
export const named = (
  label: string,
  chat: ChatModel | "none",
  other: Partial<StationCouncil> = {},
): StationCouncil => ({
  ...{ label, chat, synthetic: true, live: false, model: "council", identity: "test", concurrency: 1 },
  ...other,
});

/** A council whose replies bear no mark of a program, as a live one's. */
export const alive = (chat: ChatModel): ChatModel => async (request, options) => {
  const { synthetic: _, ...reply } = await chat(request, options);
  return reply;
};

/** An endpoint that leaves calls without an outcome: those at the given places, or wherever `fails` says so. */
export function unanswering(
  chat: ChatModel,
  fails: readonly string[] | ((request: ChatRequest, place: string) => boolean),
  { scope = "call", code = "rate_limit" }: { scope?: Unanswered["scope"]; code?: FailureCode } = {},
): ChatModel {
  return async (request, options) => {
    const place = options!.place!;
    if (!(typeof fails === "function" ? fails(request, place) : fails.includes(place))) {
      return await chat(request, options);
    }
    throw new Unanswered(code, "too many requests", {
      scope,
      tries: [{ code, message: "429", waitedMs: 5 }, { code, message: "429 again", waitedMs: 0 }],
    });
  };
}

/** Lines of a run's file as versions without checksums wrote them. */
export const unsealed = (text: string): string =>
  text.replaceAll(/,"check":"[0-9a-f]{8}"\}$/gm, "}").replace('"station-events/2"', '"station-events/1"');
