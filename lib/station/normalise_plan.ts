import { GROUPS, SYSTEMS } from "../schema/station_ids.ts";
import { Measures, Plan } from "../schema/station_reply.ts";
import type { JsonNode, Member, ObjectNode } from "../core/lenient_json_reader.ts";
import { refuse } from "./parse_issue.ts";
import { findFlatKey, findMeasure, findPlanKey, findPlanWrapper } from "./normalise_keys.ts";
import { nameFinder, Repairs } from "../core/name_finder.ts";
import type { TableName } from "./normalise_quantity.ts";
import { normaliseTable, Quantities } from "./normalise_table.ts";

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

/** Of several keys for one comment the one spelt right, else the first; the others are dropped. */
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
