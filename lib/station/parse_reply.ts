import type { Result } from "../core/result.ts";
import { ActionName, LONGEST_STATEMENT, StationReply } from "../schema/station_ids.ts";
import { attempt, excerpt, type JsonNode, type LenientJson, lenientJson, type Member } from "../core/lenient_json.ts";
import { type ParseIssue, refuse } from "./parse_issue.ts";
import { normaliseReply } from "./normalise_reply.ts";

/** A council model's reply after reading. */
export interface ReadReply {
  readonly action: ActionName;
  /** A proposal, a rumour or a role, as written. */
  readonly target?: string;
  /** In a vote: for (true) or against. */
  readonly support?: boolean;
  readonly statement?: string;
  /** The proposal as the model wrote it, for `parseProposal`. */
  readonly proposalText?: string;
  /** Every change that reading took, outside the proposal; none where the reply was read as written. */
  readonly repairs: readonly string[];
}

/**
 * Reads a council model's reply, one JSON object such as `{"action": "endorse", "target": "P2"}`.
 *
 * With `normaliser` off, the trimmed text must be exactly one `StationReply`. With it on, near misses are read and each
 * repair is named: those of `lenientJson` and of `normaliseReply`. Either way a statement of over 600 characters is
 * cut, as `statement_cut`. The proposal's content is not judged: a reply that can be read, with a plan that cannot, is an
 * action all the same. Nor is it judged here whether the role may act so and whether the target exists.
 *
 * @param text the model's words, any length; over 1,000,000 UTF-16 units are `too_long`.
 * @returns the reply, or an issue: `empty`, `too_long`, `not_json`, `too_deep`, `ambiguous` (two objects, or a field given
 * twice), `unknown_action`, `missing_field`, `wrong_type`, `extra_key`, `too_many_keys`. Never throws.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const text = 'I agree.\n{"action": "Support", "target": "P2",}';
 * assert.deepEqual(parseReply(text, { normaliser: true }), {
 *   ok: true,
 *   value: {
 *     action: "endorse",
 *     target: "P2",
 *     repairs: ["surrounding_prose", "trailing_comma", "action_synonym:support->endorse", "action_case"],
 *   },
 * });
 * const strict = parseReply(text, { normaliser: false });
 * assert.ok(!strict.ok && strict.issue.code === "not_json");
 * ```
 */
export function parseReply(text: string, { normaliser }: { normaliser: boolean }): Result<ReadReply, ParseIssue> {
  const json = lenientJson(text);
  if (!json.ok) return json;
  return attempt(() => {
    if (!normaliser && json.value.repairs.length > 0) {
      refuse("not_json", `the text is not exactly one JSON object: ${json.value.repairs[0]!.name}`);
    }
    const { members, repairs } = normaliser
      ? normaliseReply(json.value.root)
      : { members: json.value.root.members, repairs: [] };
    const proposal = members.find(({ key }) => key === "proposal")?.value;
    const outside = outsideOf(proposal, json.value);
    const { fields, cut } = validated(members, json.value.source);
    return {
      ...fields,
      ...(proposal && { proposalText: json.value.source.slice(proposal.start, proposal.end) }),
      repairs: [...new Set([...outside, ...repairs, ...(cut ? ["statement_cut"] : [])])],
    };
  });
}

/** Repairs of JSON outside the proposal, since those inside are named when it is read; refuses keys given twice there. */
function outsideOf(proposal: JsonNode | undefined, { root, repairs, duplicates }: LenientJson): string[] {
  const inside = ({ at }: { at: number }) =>
    proposal !== undefined && proposal !== root && at >= proposal.start && at < proposal.end;
  const twice = duplicates.find((mark) => !inside(mark));
  if (twice) refuse("ambiguous", `the key ${excerpt(twice.name)} is given twice`);
  return repairs.filter((mark) => !inside(mark)).map(({ name }) => name);
}

/** The members as a `StationReply`, without the proposal, and whether the statement had to be cut. */
function validated(members: readonly Member[], source: string): { fields: Omit<ReadReply, "repairs">; cut: boolean } {
  const written = new Map(members.map(({ key, value }) => [key, plainValue(value, source)]));
  const action = written.get("action");
  if (!written.has("action")) refuse("missing_field", "there is no action");
  if (typeof action !== "string") return refuse("wrong_type", "the action is not a string");
  if (!ActionName.safeParse(action).success) refuse("unknown_action", `${excerpt(action)} is none of the 22 actions`);
  const statement = written.get("statement");
  const cut = typeof statement === "string" && statement.length > LONGEST_STATEMENT;
  if (cut) written.set("statement", beginning(statement));
  const reply = StationReply.safeParse(Object.fromEntries(written));
  if (!reply.success) return complain(reply.error.issues[0]!, written);
  const { proposal: _, ...fields } = { proposal: undefined, ...reply.data };
  // Made from JSON, so a field is there or not, but never undefined.
  return { fields: fields as Omit<ReadReply, "repairs">, cut };
}

function complain(issue: StationReplyIssue, written: ReadonlyMap<string, unknown>): never {
  const action = String(written.get("action"));
  if (issue.code === "unrecognized_keys") {
    return refuse("extra_key", `${action} takes no ${issue.keys.slice(0, 3).map(excerpt).join(", ")}`);
  }
  const field = String(issue.path[0]);
  if (!written.has(field)) return refuse("missing_field", `${action} needs ${field}`);
  return refuse("wrong_type", `${field} of ${action} is not what that field holds`);
}

type StationReplyIssue = NonNullable<ReturnType<typeof StationReply.safeParse>["error"]>["issues"][number];

/** A value as JSON has it; what is no plain value stays its text, which no field but the proposal accepts. */
function plainValue(node: JsonNode, source: string): unknown {
  if (node.kind === "string") return node.text;
  if (node.kind === "literal") return node.value;
  if (node.kind === "number") return Number(node.text);
  return [source.slice(node.start, node.end)];
}

/** As much of a statement as is kept, without half a character at its end. */
function beginning(statement: string): string {
  const kept = statement.slice(0, LONGEST_STATEMENT);
  return /[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept;
}
