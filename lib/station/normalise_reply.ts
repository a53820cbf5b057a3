import type { ActionName } from "../schema/station_ids.ts";
import { replyFields } from "../schema/station_reply.ts";
import { type JsonNode, type Member, type ObjectNode, refuse } from "./lenient_json_reader.ts";
import { nameFinder, printableKey, Repairs } from "./normalise_names.ts";
import { isPlanKey } from "./normalise_plan.ts";

type FieldName = "action" | "proposal" | "target" | "support" | "statement";

/** A reply whose keys, and whose values but the proposal's, are as `StationReply` wants them, as far as they could be. */
export interface NormalisedReply {
  readonly members: readonly Member[];
  readonly repairs: readonly string[];
}

/** More keys that mean nothing than a reply with some chatter in it has. */
const MOST_EXTRA_KEYS = 50;

/**
 * Brings a reply nearer to `StationReply`, naming each repair: `key_case`, `key_synonym:message->statement`,
 * `action_case`, `action_synonym:support->endorse`, `nested_wrapper`, `proposal_inline` (seats and power beside the
 * action), `boolean_word`, `null_dropped:target`, `statement_dropped`,
 * `extra_key_dropped:mood`. What a proposal holds is left alone. Of a field spelt right and one that only resembles it
 * the former counts; two that only resemble it are refused.
 *
 * @throws what `refuse` throws.
 */
export function normaliseReply(root: ObjectNode): NormalisedReply {
  const repairs = new Repairs();
  const { fields, extra } = sortMembers(unwrapped(root, repairs), repairs);
  const action = readAction(fields, repairs);
  const wanting = action !== undefined && replyFields(action).has("proposal") && !fields.has("proposal");
  const inline = wanting && extra.some(({ key }) => isPlanKey(key));
  if (inline) {
    repairs.add("proposal_inline");
    fields.set("proposal", root);
  }
  const members = [...fields].flatMap(([name, value]) => field(name, value, action, repairs));
  const dropped = extra.filter(({ key }) => !inline || !isPlanKey(key));
  if (dropped.length > MOST_EXTRA_KEYS) refuse("too_many_keys", `${dropped.length} keys are no part of a reply`);
  repairs.add(...dropped.map(({ key }) => `extra_key_dropped:${printableKey(key)}`));
  return { members, repairs: repairs.list() };
}

/** The object with the action in it, where others do nothing but hold it. */
function unwrapped(root: ObjectNode, repairs: Repairs): readonly Member[] {
  const [only] = root.members;
  if (root.members.length !== 1 || only?.value.kind !== "object" || !findReplyWrapper(only.key)) return root.members;
  repairs.add("nested_wrapper");
  return unwrapped(only.value, repairs);
}

/** The reply's fields by name, and the members that are none. */
function sortMembers(
  members: readonly Member[],
  repairs: Repairs,
): { fields: Map<FieldName, JsonNode>; extra: Member[] } {
  const all = members.map((member) => ({ member, found: findField(member.key) }));
  const fields = new Map<FieldName, JsonNode>();
  const chosen = new Set<Member>();
  for (const [name, candidates] of Map.groupBy(all, ({ found }) => found?.name)) {
    if (name === undefined) continue;
    const spelt = candidates.filter(({ found }) => !found!.synonym);
    const [one, other] = spelt.length > 0 ? spelt : candidates;
    if (other) refuse("ambiguous", `${name} is given twice`);
    repairs.add(...one!.found!.repairs);
    fields.set(name, one!.member.value);
    chosen.add(one!.member);
  }
  return { fields, extra: members.filter((member) => !chosen.has(member)) };
}

function readAction(fields: ReadonlyMap<FieldName, JsonNode>, repairs: Repairs): ActionName | undefined {
  const node = fields.get("action");
  const found = node?.kind === "string" || node?.kind === "bare" ? findAction(node.text) : undefined;
  repairs.add(...(found?.repairs ?? []));
  return found?.name;
}

/** A field as the schema wants it, or nothing where it says nothing. */
function field(name: FieldName, node: JsonNode, action: ActionName | undefined, repairs: Repairs): Member[] {
  const drop = (repair: string) => {
    repairs.add(repair);
    return [];
  };
  if (node.kind === "literal" && node.value === null) return drop(`null_dropped:${name}`);
  if (name === "action") return [{ key: name, value: action === undefined ? quoted(node) : text(action, node) }];
  if (action !== undefined && !replyFields(action).has(name)) return drop(`extra_key_dropped:${name}`);
  if (name === "proposal") return [{ key: name, value: node }];
  if (name === "statement" && node.kind !== "string" && node.kind !== "bare") return drop("statement_dropped");
  return [{ key: name, value: name === "support" ? yesOrNo(node, repairs) : quoted(node) }];
}

const text = (words: string, { start, end }: JsonNode): JsonNode => ({ kind: "string", text: words, start, end });

/** Unquoted text as the string it was meant for; its repair was named when it was read. */
const quoted = (node: JsonNode): JsonNode => node.kind === "bare" ? text(node.text, node) : node;

function yesOrNo(node: JsonNode, repairs: Repairs): JsonNode {
  const value = node.kind === "string" || node.kind === "bare" ? booleanWord(node.text) : undefined;
  if (value === undefined) return node;
  repairs.add("boolean_word");
  return { kind: "literal", value, start: node.start, end: node.end };
}

/** The 22 canonical actions, and other words for them. */
export const findAction = nameFinder({
  speak: ["say", "talk", "statement"],
  propose: ["proposal", "propose_plan", "submit_proposal", "make_proposal", "file_proposal"],
  endorse: ["support", "back", "approve", "support_proposal", "endorse_proposal"],
  oppose: ["reject", "object", "oppose_proposal", "reject_proposal"],
  vote: ["cast_vote", "vote_on_proposal"],
  form_coalition: ["coalition", "ally", "form_alliance", "build_coalition", "join_coalition"],
  defect: ["leave_coalition", "break_coalition"],
  leak: ["leak_information"],
  fact_check: ["verify", "debunk", "fact_check_rumor", "check_rumor"],
  spread_rumor: ["spread_rumour", "rumor", "rumour"],
  moderate: ["moderation", "moderate_rumor"],
  appeal: ["appeal_to_faction", "plead"],
  bribe: ["offer_bribe"],
  auction: ["auction_seats"],
  allocate: ["allocation", "allocate_resources"],
  sabotage: [],
  repair: ["fix", "repair_power"],
  audit: ["investigate", "request_audit"],
  broadcast: ["announce", "public_broadcast", "announcement"],
  poll: ["survey"],
  fork_proposal: ["fork", "amend", "amend_proposal", "counter_proposal", "counter_propose"],
  observe: ["wait", "watch", "no_action"],
}, "action");

/** The fields of a reply. */
export const findField = nameFinder({
  action: ["act", "action_name", "action_type", "type", "move"],
  proposal: ["plan", "proposed_plan", "proposal_plan"],
  target: ["target_id", "proposal_id", "rumor_id", "rumour_id", "role_id", "target_role", "target_proposal"],
  support: ["in_favour", "in_favor", "for", "approve", "vote"],
  statement: ["message", "text", "speech", "public_statement", "comment"],
}, "key");

/** Objects that hold the whole reply. */
export const findReplyWrapper = nameFinder({ response: ["reply", "output", "result", "answer", "data"] }, "key");

const BOOLEAN_WORDS = new Map([
  ...["true", "yes", "for", "aye", "support"].map((word) => [word, true] as const),
  ...["false", "no", "against", "nay", "oppose"].map((word) => [word, false] as const),
]);

/** What a word for yes or no means. */
export const booleanWord = (word: string): boolean | undefined => BOOLEAN_WORDS.get(word.trim().toLowerCase());
