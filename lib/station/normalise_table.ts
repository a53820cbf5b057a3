import { excerpt, type JsonNode, type Member, type ObjectNode } from "../core/lenient_json_reader.ts";
import { refuse } from "./parse_issue.ts";
import { findMember, findNameKey, findQuantityKey, findTableWrapper } from "./normalise_keys.ts";
import { printableKey, type Repairs } from "../core/name_finder.ts";
import { quantity, type TableName } from "./normalise_quantity.ts";

/** More keys that mean nothing than a plan with some chatter in it has. */
const MOST_EXTRA_KEYS = 50;

/** The quantities of a plan, found anywhere in the text, and the keys left over. */
export class Quantities {
  private readonly found = new Map<string, number>();
  private extra = 0;

  constructor(readonly repairs: Repairs) {}

  /** Notes the quantity of `place`, such as `seats.crew`. */
  set(table: TableName, place: string, node: JsonNode): void {
    if (this.found.has(place)) refuse("ambiguous", `${place} is given twice`);
    this.found.set(place, this.amount(table, place, node));
  }

  get(place: string): number | undefined {
    return this.found.get(place);
  }

  /** A key that says nothing about a plan. */
  drop(key: string, inside = ""): void {
    if (++this.extra > MOST_EXTRA_KEYS) {
      refuse("too_many_keys", `more than ${MOST_EXTRA_KEYS} keys are no part of a plan`);
    }
    this.repairs.add(`extra_key_dropped:${inside}${printableKey(key)}`);
  }

  /** A number, or an object that holds one, such as `{"seats": 40}`. */
  private amount(table: TableName, place: string, node: JsonNode): number {
    if (node.kind !== "object") return quantity(node, table, place, this.repairs);
    this.repairs.add("nested_wrapper");
    return this.entryAmount(table, place, node.members);
  }

  /** The one quantity among the members of an entry. */
  entryAmount(table: TableName, place: string, members: readonly Member[]): number {
    let amount: number | undefined;
    for (const { key, value } of members) {
      const found = findQuantityKey[table](key);
      if (found === undefined) {
        this.drop(key, `${place}.`);
        continue;
      }
      if (amount !== undefined) refuse("ambiguous", `${place} is given twice`);
      this.repairs.add(...found.repairs);
      amount = quantity(value, table, place, this.repairs);
    }
    return amount ?? refuse("missing_quantity", `no quantity is given for ${place}`);
  }

  /** An entry of an array, `{"group": "crew", "seats": 20}`. */
  setEntry(table: TableName, member: string, members: readonly Member[]): void {
    const place = `${table}.${member}`;
    if (this.found.has(place)) refuse("ambiguous", `${place} is given twice`);
    this.found.set(place, this.entryAmount(table, place, members));
  }
}

/** Reads one table of a plan: an object by group or system, or an array of entries. */
export function normaliseTable(table: TableName, node: JsonNode, quantities: Quantities): void {
  if (node.kind === "object") return readObject(table, node, quantities);
  if (node.kind !== "array") return refuse("wrong_type", `${table} is not a table`);
  quantities.repairs.add("array_to_table");
  for (const item of node.items) readItem(table, item, quantities);
}

function readObject(table: TableName, node: ObjectNode, quantities: Quantities): void {
  for (const { key, value } of node.members) {
    const member = findMember[table](key);
    const wrapper = member || (value.kind !== "object" && value.kind !== "array")
      ? undefined
      : findTableWrapper[table](key);
    if (member) {
      quantities.repairs.add(...member.repairs);
      quantities.set(table, `${table}.${member.name}`, value);
    } else if (wrapper) {
      quantities.repairs.add("nested_wrapper");
      normaliseTable(table, value, quantities);
    } else quantities.drop(key, `${table}.`);
  }
}

function readItem(table: TableName, item: JsonNode, quantities: Quantities): void {
  if (item.kind === "array") return readPair(table, item.items, quantities);
  if (item.kind !== "object") return refuse("wrong_type", `an entry of ${table} names no group or system`);
  const naming = item.members.find(({ key, value }) => findNameKey(key) && value.kind === "string");
  if (naming === undefined) return readObject(table, item, quantities);
  quantities.repairs.add(...findNameKey(naming.key)!.repairs);
  quantities.setEntry(
    table,
    memberNamed(table, naming.value, quantities),
    item.members.filter((each) => each !== naming),
  );
}

/** An entry written as `["crew", 20]`. */
function readPair(table: TableName, items: readonly JsonNode[], quantities: Quantities): void {
  const [name, value] = items;
  if (name === undefined || value === undefined || items.length !== 2) {
    return refuse("wrong_type", `an entry of ${table} is no pair of a name and a number`);
  }
  quantities.set(table, `${table}.${memberNamed(table, name, quantities)}`, value);
}

function memberNamed(table: TableName, node: JsonNode, quantities: Quantities): string {
  const found = node.kind === "string" ? findMember[table](node.text) : undefined;
  if (found === undefined) {
    const written = node.kind === "string" ? excerpt(node.text) : "something that is not a name";
    return refuse("extra_key", `${written} is not known in ${table}`);
  }
  quantities.repairs.add(...found.repairs);
  return found.name;
}
