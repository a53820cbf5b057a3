import { type ActionName, replyFields } from "../schema/station_ids.ts";
import type { JsonNode, Member, ObjectNode } from "../core/lenient_json.ts";
import { refuse } from "./parse_issue.ts";
import { fieldsOf, nameFinder, printableKey, Repairs } from "../core/name_finder.ts";
import { isPlanKey } from "./normalise_plan.ts";
import synonyms from "./synonyms.json" with { type: "json" };

type FieldName = "action" | "proposal" | "target" | "support" | "statement";

/** A reply whose keys, and whose values but the proposal's, are as `StationReply` wants them, as far as they could be. */
interface NormalisedReply {
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
  const { fields, extra } = fieldsOf(unwrapped(root, repairs), findField, repairs);
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
export const findAction = nameFinder(synonyms.actions, "action");

/** The fields of a reply. */
export const findField = nameFinder(synonyms.replyFields, "key");

/** Objects that hold the whole reply. */
const findReplyWrapper = nameFinder(synonyms.replyWrappers, "key");

/** The meaning of a word for yes or no. */
export function booleanWord(word: string): boolean | undefined {
  const folded = word.trim().toLowerCase();
  if (synonyms.yes.includes(folded)) return true;
  return synonyms.no.includes(folded) ? false : undefined;
}
