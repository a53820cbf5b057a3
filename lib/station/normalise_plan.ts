import { GROUPS, Measures, Plan, SYSTEMS } from "../schema/station_ids.ts";
import { excerpt, type JsonNode, type Member, type ObjectNode } from "../core/lenient_json.ts";
import { refuse } from "./parse_issue.ts";
import {
  findFlatKey,
  findMeasure,
  findMember,
  findNameKey,
  findPlanKey,
  findPlanWrapper,
  findQuantityKey,
  findTableWrapper,
  type TableName,
} from "./normalise_keys.ts";
import { nameFinder, printableKey, Repairs } from "../core/name_finder.ts";

type MeasureName = keyof Measures;

const findMeasureValue = {
  rumor: valueFinder(Measures.shape.rumor.unwrap().options),
  market: valueFinder(Measures.shape.market.unwrap().options),
  authority: valueFinder(Measures.shape.authority.unwrap().options),
};

/**
 * The plan an object means, and every change that took; no repairs exactly where the object is a `Plan` as written.
 *
 * Quantities come from the text alone: each group and system must be there once, in a table, an array or a flat key.
 * Commentary and keys that mean nothing are dropped by name; two quantities for one place are refused, not chosen from.
 *
 * @throws what `refuse` throws.
 */
export function normalisePlan(root: ObjectNode): { plan: Plan; repairs: string[] } {
  const repairs = new Repairs();
  const quantities = new Quantities(repairs);
  const comments: Member[] = [];
  for (const { key, value } of unwrapped(root, repairs)) {
    const flat = findFlatKey(key);
    const found = findPlanKey(key);
    if (found?.name === "measures" || found?.name === "rationale") comments.push({ key, value });
    else if (found) {
      repairs.add(...found.repairs);
      normaliseTable(found.name, value, quantities);
    } else if (flat) {
      repairs.add("flat_to_nested", ...flat.repairs);
      quantities.set(flat.table, flat.place, value);
    } else quantities.drop(key);
  }
  const tables = { seats: table("seats", GROUPS, quantities), power: table("power", SYSTEMS, quantities) };
  const plan = Plan.parse({ ...tables, ...commentary(comments, quantities) });
  return { plan, repairs: repairs.list() };
}

/** Whether a key could be part of a plan's two tables. */
export function isPlanKey(key: string): boolean {
  const name = findPlanKey(key)?.name;
  return name === "seats" || name === "power" || findFlatKey(key) !== undefined;
}

/** The members of an object, with those of any object that only wraps a plan in their place. */
function unwrapped(node: ObjectNode, repairs: Repairs): Member[] {
  return node.members.flatMap((member) => {
    if (member.value.kind !== "object" || !findPlanWrapper(member.key)) return [member];
    repairs.add("nested_wrapper");
    return unwrapped(member.value, repairs);
  });
}

function table<N extends string>(name: TableName, members: readonly N[], quantities: Quantities): Record<N, number> {
  const entries = members.map((member) => [member, quantities.get(`${name}.${member}`)] as const);
  const missing = entries.filter(([, amount]) => amount === undefined).map(([member]) => `${name}.${member}`);
  if (missing.length > 0) refuse("missing_quantity", `no quantity is given for ${missing.join(", ")}`);
  return Object.fromEntries(entries) as Record<N, number>;
}

/** Measures and rationale are worth nothing by themselves, so what cannot be read of them costs no plan. */
function commentary(members: readonly Member[], quantities: Quantities): Partial<Pick<Plan, "measures" | "rationale">> {
  const measures = preferred("measures", members, quantities);
  const rationale = preferred("rationale", members, quantities);
  if (rationale && rationale.kind !== "string") quantities.repairs.add("rationale_dropped");
  return {
    ...(measures && readMeasures(measures, quantities)),
    ...(rationale?.kind === "string" && { rationale: rationale.text }),
  };
}

/** Takes, of several keys for one comment, the one spelt right, else the first; the others are dropped. */
function preferred(name: string, members: readonly Member[], quantities: Quantities): JsonNode | undefined {
  const mine = members.filter(({ key }) => findPlanKey(key)?.name === name);
  const chosen = mine.find(({ key }) => key === name) ?? mine[0];
  for (const member of mine) {
    if (member === chosen) quantities.repairs.add(...findPlanKey(member.key)!.repairs);
    else quantities.drop(member.key);
  }
  return chosen?.value;
}

function readMeasures(node: JsonNode, quantities: Quantities): { measures?: Measures } {
  if (node.kind !== "object") {
    quantities.repairs.add("measures_dropped");
    return {};
  }
  const read = new Map<MeasureName, string>();
  for (const { key, value } of node.members) {
    const measure = findMeasure(key);
    if (measure === undefined || read.has(measure.name)) {
      quantities.drop(key, "measures.");
      continue;
    }
    const found = value.kind === "string" ? findMeasureValue[measure.name](value.text) : undefined;
    quantities.repairs.add(...measure.repairs, ...(found?.repairs ?? [`measure_dropped:${measure.name}`]));
    if (found) read.set(measure.name, found.name);
  }
  return { measures: Measures.parse(Object.fromEntries(read)) };
}

function valueFinder(options: readonly string[]) {
  return nameFinder(Object.fromEntries(options.map((option) => [option, []])), "value");
}

/** More keys that mean nothing than a plan with some chatter in it has. */
const MOST_EXTRA_KEYS = 50;

/** The quantities of a plan, found anywhere in the text, and the keys left over. */
class Quantities {
  private readonly found = new Map<string, number>();
  private extra = 0;

  constructor(readonly repairs: Repairs) {}

  /** Notes the quantity of `place`, such as `seats.crew`: a value, or the members of an entry that hold one. */
  set(table: TableName, place: string, written: JsonNode | readonly Member[]): void {
    if (this.found.has(place)) refuse("ambiguous", `${place} is given twice`);
    const amount = "kind" in written ? this.amount(table, place, written) : this.entryAmount(table, place, written);
    this.found.set(place, amount);
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
  private entryAmount(table: TableName, place: string, members: readonly Member[]): number {
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
}

/** Reads one table of a plan: an object by group or system, or an array of entries. */
function normaliseTable(table: TableName, node: JsonNode, quantities: Quantities): void {
  if (node.kind === "object") return readObject(table, node, quantities);
  if (node.kind !== "array") return refuse("wrong_type", `${table} is not a table`);
  quantities.repairs.add("array_to_table");
  for (const item of node.items) readItem(table, item, quantities);
}

function readObject(table: TableName, node: ObjectNode, quantities: Quantities): void {
  for (const { key, value } of node.members) {
    const member = findMember[table](key);
    if (member) {
      quantities.repairs.add(...member.repairs);
      quantities.set(table, `${table}.${member.name}`, value);
    } else if ((value.kind === "object" || value.kind === "array") && findTableWrapper[table](key)) {
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
  const place = `${table}.${memberNamed(table, naming.value, quantities)}`;
  quantities.set(table, place, item.members.filter((each) => each !== naming));
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

/** Words that may follow a number, lower case; nothing is converted, so kilowatts are not among them. */
const UNITS: Readonly<Record<TableName, RegExp>> = {
  seats: /^(?:(?:evacuation |evac )?seats?|people|persons?|passengers?|evacuees?|places?)$/,
  power: /^(?:(?:power |energy )?units?(?: of (?:power|energy))?|power|energy)$/,
};
const PERCENT = /^(?:%|percent|per cent|pct)(?: of (?:the )?(?:total |available )?(\w+(?: \w+)?))?$/;
const QUANTITY = /^(-?\d+(?:\.\d+)?) *([%A-Za-z]?[A-Za-z ]*)$/;
const NUMERAL = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const NUMBER_WORD =
  /^(?:a |an )?(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fourty|fifty|sixty|seventy|eighty|ninety|hundred|half|third|quarter|dozen)(?![a-z])/i;
/** Far more characters than a quantity with its unit needs. */
const LONGEST = 64;

/**
 * The whole number a value stands for, as written: a number, a number in a string, with its unit, or as a percentage.
 *
 * A percentage is read as that many seats or power units, since the published totals of both are 100; of any other total
 * it is not known. Numbers are never rounded, and words are not turned into numbers.
 *
 * @param place names the quantity in messages, such as `seats.crew`.
 * @throws what `refuse` throws, with `not_a_number`, `word_number`, `negative`, `fractional`, `too_large` or `unknown_unit`.
 */
export function quantity(node: JsonNode, table: TableName, place: string, repairs: Repairs): number {
  if (node.kind === "number") return wholeNumber(node.text, place);
  if (node.kind !== "string" && node.kind !== "bare") return refuse("not_a_number", `${place} holds no number`);
  const text = node.text.trim();
  const match = text.length > LONGEST ? null : QUANTITY.exec(text);
  if (match === null) {
    const code = NUMBER_WORD.test(text) ? "word_number" : "not_a_number";
    return refuse(code, `${place} is ${excerpt(text)}, a number in digits is wanted`);
  }
  const value = wholeNumber(match[1]!, place);
  repairs.add(unitRepair(match[2]!.toLowerCase(), table, place));
  return value;
}

function unitRepair(unit: string, table: TableName, place: string): string {
  if (unit === "") return "numeric_string";
  if (UNITS[table].test(unit)) return "number_with_unit";
  const percent = PERCENT.exec(unit);
  if (percent && (percent[1] === undefined || UNITS[table].test(percent[1]))) return "percentage";
  return refuse(
    "unknown_unit",
    `${place} is given in ${excerpt(unit)}, not in ${table === "seats" ? "seats" : "units"}`,
  );
}

/** A numeral's value where it is a whole number that a double holds exactly; decided on the digits, without rounding. */
function wholeNumber(numeral: string, place: string): number {
  const match = numeral.length > LONGEST ? null : NUMERAL.exec(numeral);
  if (match === null) return refuse("not_a_number", `${place} is ${excerpt(numeral)}, which is not a plain number`);
  const [, sign, whole, fraction = "", exponent = "0"] = match;
  if (sign === "-") refuse("negative", `${place} is ${numeral}; a plan gives, it does not take`);
  const digits = `${whole}${fraction}`;
  const significant = digits.replace(/0+$/, "");
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  if (significant !== "" && power < 0) refuse("fractional", `${place} is ${numeral}, a whole number is wanted`);
  const value = Number(numeral);
  return Number.isSafeInteger(value) ? value : refuse("too_large", `${place} is ${numeral}`);
}
