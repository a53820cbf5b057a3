import * as z from "zod";
import { checkOptions } from "../core/options.ts";
import { fail, type Issue, ok, type Result } from "../core/result.ts";
import { Ballot, ClerkReport } from "../schema/deliberation_event.ts";
import { OPTION_LETTERS } from "../schema/scenario.ts";
import { isOfOne } from "./dialect.ts";
import { normaliseBallot, normaliseReport } from "./normalise_vote.ts";

/** A reply that is one JSON object of a schema, with what had to be taken off it. */
export interface JsonReply<T> {
  readonly value: T;
  readonly repairs: readonly string[];
  /**
   * Whether the text has more colons than the object has fields: JSON.parse keeps the last of two equal keys. It says so
   * only where neither keys nor values may hold a colon.
   */
  readonly surplusColons: boolean;
}

/** Why a reply is not such an object. */
export interface JsonReplyIssue extends Issue {
  readonly code: "not_json" | "wrong_fields";
}

const FENCED = /^```(?:json)?[ \t]*\r?\n([^`]*)\n```$/;

/**
 * Reads a model's reply that must be one JSON object and nothing else. A code fence around it is taken off and named as
 * a repair.
 */
export function readJsonReply<T extends object>(
  text: string,
  schema: z.ZodType<T>,
): Result<JsonReply<T>, JsonReplyIssue> {
  const trimmed = text.trim();
  const inner = FENCED.exec(trimmed)?.[1];
  const written = inner ?? trimmed;
  let json: unknown;
  try {
    json = JSON.parse(written);
  } catch {
    return replyIssue("not_json", "the reply is not a JSON object");
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) return replyIssue("wrong_fields", z.prettifyError(parsed.error).slice(0, 300));
  return ok({
    value: parsed.data,
    repairs: inner === undefined ? [] : ["code_fence"],
    surplusColons: written.split(":").length - 1 > Object.keys(parsed.data).length,
  });
}

const replyIssue = (code: JsonReplyIssue["code"], message: string) => fail<JsonReplyIssue>({ code, message });

/** A JSON reply after reading, with every change that took. */
export interface Vote<T> {
  readonly value: T;
  readonly repairs: readonly string[];
}

/** By which rules a vote is read. */
export interface VoteRules {
  /** K: the decision is one of the first K letters. */
  readonly optionCount: number;
  /** How many can have cast a ballot. */
  readonly seats: number;
  /** Whether near misses are read too, see `normaliseBallot`. */
  readonly normaliser: boolean;
}

/**
 * Reads a private ballot, `{"decision": "A", "confidence": 70}`, where the decision is one of the first K letters.
 *
 * A code fence around the object is taken off and named as a repair. Without the normaliser anything else that is not
 * exactly this object is an issue: `not_json`, `wrong_fields`, `unknown_option`, `ambiguous` (a field given twice), and
 * `confidence_scale` for one such as 0.85, which says 85 on a scale of one and not 0.85 of 100.
 *
 * Source: Shimao et al., S2.4.
 */
export function parseBallot(text: string, rules: VoteRules): Result<Vote<Ballot>> {
  checkOptions("parseBallot", rules, "optionCount! seats! normaliser!");
  const strict = parseVote(text, Ballot, rules);
  const scaled = strict.ok && isOfOne(/:\s*(1\.0*)(?!\d)/.exec(text)?.[1] ?? String(strict.value.value.confidence));
  const read = scaled
    ? issue("confidence_scale", `confidence ${strict.value.value.confidence} is on a scale of one, 0 to 100 is wanted`)
    : strict;
  return read.ok || !rules.normaliser ? read : normaliseBallot(text, rules);
}

/**
 * Reads the clerk's report, `{"decision": "A", "majority_count": 3, "total": 5}`, by the rules of `parseBallot`. Counts
 * that no committee of so many seats can have are `impossible_count`: more for the decision than in all, none for it, or
 * more ballots than seats.
 */
export function parseClerkReport(text: string, rules: VoteRules): Result<Vote<ClerkReport>> {
  checkOptions("parseClerkReport", rules, "optionCount! seats! normaliser!");
  const strict = parseVote(text, ClerkReport, rules);
  const read = strict.ok || !rules.normaliser ? strict : normaliseReport(text, rules);
  if (!read.ok) return read;
  const { majority_count: count, total } = read.value.value;
  const possible = count <= total && total <= rules.seats && (count > 0 || total === 0);
  return possible ? read : issue("impossible_count", `${count} of ${total} ballots, with ${rules.seats} seats`);
}

function parseVote<T extends { decision: string }>(
  text: string,
  schema: z.ZodType<T>,
  { optionCount }: VoteRules,
): Result<Vote<T>> {
  const reply = readJsonReply(text, schema);
  if (!reply.ok) return reply;
  const { value, repairs, surplusColons } = reply.value;
  if (!isOption(value.decision, optionCount)) {
    return issue(
      "unknown_option",
      `decision "${value.decision.slice(0, 20)}" is not one of the ${optionCount} options`,
    );
  }
  if (surplusColons) return issue("ambiguous", "a field is given more than once");
  return ok({ value, repairs });
}

const isOption = (decision: string, optionCount: number): boolean =>
  OPTION_LETTERS.slice(0, optionCount).some((letter) => letter === decision);

const issue = (code: string, message: string) => fail<Issue>({ code, message });
