import type { Result } from "../core/result.ts";
import { ActionName } from "../schema/station_ids.ts";
import { LONGEST_STATEMENT, StationReply } from "../schema/station_reply.ts";
import { attempt, type LenientJson, lenientJson } from "./lenient_json.ts";
import { excerpt, type JsonNode, type Member, type ParseIssue, refuse } from "./lenient_json_node.ts";
import { normaliseReply } from "./normalise_reply.ts";

/** A council model's reply after reading. */
export interface ReadReply {
  readonly action: ActionName;
  /** A proposal, a rumour or a role, as written. */
  readonly target?: string;
  /** Of a vote: for (true) or against. */
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
    const { proposal: _, statement, ...reply } = validated(members, json.value.source);
    return {
      ...reply,
      ...(statement !== undefined && { statement: cut(statement) }),
      ...(proposal && { proposalText: json.value.source.slice(proposal.start, proposal.end) }),
      repairs: [
        ...new Set([
          ...outside,
          ...repairs,
          ...(statement !== undefined && statement.length > LONGEST_STATEMENT ? ["statement_cut"] : []),
        ]),
      ],
    };
  });
}

/** Repairs of JSON outside the proposal, since reading the proposal names its own; refuses keys given twice there. */
function outsideOf(proposal: JsonNode | undefined, { root, repairs, duplicates }: LenientJson): string[] {
  const inside = ({ at }: { at: number }) =>
    proposal !== undefined && proposal !== root && at >= proposal.start && at < proposal.end;
  const twice = duplicates.find((mark) => !inside(mark));
  if (twice) refuse("ambiguous", `the key ${excerpt(twice.name)} is given twice`);
  return repairs.filter((mark) => !inside(mark)).map(({ name }) => name);
}

interface Fields {
  action: ActionName;
  target?: string;
  support?: boolean;
  statement?: string;
  proposal?: unknown;
}

/** The members as a `StationReply`, with the statement uncut. */
function validated(members: readonly Member[], source: string): Fields {
  const written = new Map(members.map(({ key, value }) => [key, plainValue(value, source)]));
  const action = written.get("action");
  if (action === undefined) refuse("missing_field", "there is no action");
  if (typeof action !== "string") refuse("wrong_type", "the action is not a string");
  if (!ActionName.safeParse(action).success) refuse("unknown_action", `${excerpt(action)} is none of the 22 actions`);
  const statement = written.get("statement");
  if (typeof statement === "string") written.set("statement", cut(statement));
  // Keys of a Map's entries become own properties, `__proto__` too, but the schema would not see that one.
  if (written.has("__proto__")) refuse("extra_key", "a reply has no field __proto__");
  const reply = StationReply.safeParse(Object.fromEntries(written));
  if (!reply.success) return complain(reply.error.issues[0]!, written);
  return typeof statement === "string" ? { ...reply.data, statement } as Fields : reply.data as Fields;
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

/** At most the longest statement, without half a character at its end. */
function cut(statement: string): string {
  const kept = statement.slice(0, LONGEST_STATEMENT);
  return statement.length > LONGEST_STATEMENT && /[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept;
}
