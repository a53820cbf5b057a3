import type { Group, PowerSystem } from "../schema/station_ids.ts";
import { nameFinder } from "./normalise_names.ts";
import type { TableName } from "./normalise_quantity.ts";

/** Words for groups and power systems. */
const MEMBERS: {
  readonly seats: Readonly<Record<Group, readonly string[]>>;
  readonly power: Readonly<Record<PowerSystem, readonly string[]>>;
} = {
  seats: {
    outer_ring: ["outer", "ring", "outer_ring_residents", "outer_ring_passengers", "outer_sectors"],
    crew: ["crew_members", "station_crew", "staff"],
    sponsor_deck: ["sponsor", "sponsors", "sponsor_deck_passengers", "sponsor_passengers"],
    medical: ["med", "medbay", "medical_bay", "infirmary", "patients", "medical_patients"],
  },
  power: {
    life_support: ["life_support_system", "life_support_systems"],
    docking: ["dock", "docks", "docking_bay", "docking_port", "docking_system", "docking_systems"],
    outer_ring: ["outer", "ring", "outer_sectors"],
    sponsor_deck: ["sponsor", "sponsors"],
    comms: ["comm", "coms", "communication", "communications"],
  },
};

/** Words for the tables. */
const TABLES = {
  seats: [
    "evac_seats",
    "evacuation_seats",
    "evac",
    "evacuation",
    "groups",
    "seating",
    "evacuees",
    "seat_allocation",
    "seats_allocation",
    "allocation_seats",
    "evac_allocation",
    "evacuation_allocation",
    "seats_by_group",
    "evacuation_seats_by_group",
  ],
  power: [
    "power_units",
    "energy",
    "energy_units",
    "systems",
    "power_allocation",
    "allocation_power",
    "energy_allocation",
    "power_budget",
    "power_distribution",
    "power_by_system",
  ],
};

/** What stands before or after a member's name where a plan is flat, `seats_crew` or `crew_seats`. */
const AFFIXES: Readonly<Record<TableName, readonly string[]>> = {
  seats: ["seats", "seat", "evac", "evacuation", "evac_seats", "evacuation_seats"],
  power: ["power", "units", "power_units", "energy", "energy_units"],
};

/** The keys of a plan. */
export const findPlanKey = nameFinder({
  ...TABLES,
  measures: ["other_measures", "additional_measures", "policies"],
  rationale: ["reason", "reasoning", "reasons", "justification", "explanation"],
}, "key");

/** Objects that hold a plan, or part of one, and say nothing else. */
export const findPlanWrapper = nameFinder({
  plan: ["final_plan", "proposed_plan", "evacuation_plan", "allocation_plan"],
  proposal: ["plan_proposal"],
  allocation: ["allocations", "resource_allocation", "resource_allocations"],
  resources: [],
  response: ["reply", "output", "result", "answer"],
  data: ["payload", "content", "details"],
}, "key");

/** The keys of a table. */
export const findMember = {
  seats: nameFinder(withAffixes("seats"), "key"),
  power: nameFinder(withAffixes("power"), "key"),
};

/** Objects inside a table that hold the table itself. */
export const findTableWrapper = {
  seats: nameFinder({ ...wrappers(), seats: TABLES.seats }, "key"),
  power: nameFinder({ ...wrappers(), power: [...TABLES.power, "units"] }, "key"),
};

const flatKeys = new Map([...flatNames("seats"), ...flatNames("power")]);
const findFlatName = nameFinder(Object.fromEntries([...flatKeys].map(([name, { words }]) => [name, words])), "key");

/** A key of a plan written flat, such as `crew_seats`; either order is as good as the other. */
export function findFlatKey(key: string): { table: TableName; place: string; repairs: readonly string[] } | undefined {
  const found = findFlatName(key);
  if (found === undefined) return undefined;
  const { table, member } = flatKeys.get(found.name)!;
  const turned = `key_synonym:${member}_${table}->${found.name}`;
  return { table, place: `${table}.${member}`, repairs: found.repairs.filter((repair) => repair !== turned) };
}

/** In an array of entries: the key that names the member. */
export const findNameKey = nameFinder({
  group: ["groups", "group_name", "population", "passengers_group"],
  system: ["systems", "system_name", "consumer", "subsystem"],
  name: ["id", "key", "label", "sector", "section"],
}, "key");

/** The key of a member's quantity, where a member is an object. */
export const findQuantityKey = {
  seats: nameFinder({ seats: [...AFFIXES.seats.slice(1), ...quantityWords()] }, "key"),
  power: nameFinder({ power: ["unit", ...AFFIXES.power.slice(1), ...quantityWords()] }, "key"),
};

/** What a plan does beside seats and power. */
export const findMeasure = nameFinder({
  rumor: ["rumors", "rumour", "rumours"],
  market: ["markets"],
  authority: ["command_authority"],
}, "key");

function withAffixes(table: TableName): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(MEMBERS[table]).map(([member, words]) => [
      member,
      [...words, ...[member, ...words].flatMap((word) => AFFIXES[table].map((affix) => `${word}_${affix}`))],
    ]),
  );
}

function flatNames(table: TableName): [string, { table: TableName; member: string; words: string[] }][] {
  return Object.entries(MEMBERS[table]).map(([member, synonyms]) => {
    const turned = `${member}_${table}`;
    const words = [member, ...synonyms].flatMap((word) =>
      AFFIXES[table].flatMap((affix) => [`${affix}_${word}`, `${word}_${affix}`])
    );
    return [`${table}_${member}`, { table, member, words: [turned, ...words] }];
  });
}

function wrappers(): Record<string, string[]> {
  return { allocation: ["allocations", "distribution", "breakdown", "by_group", "by_system"] };
}

function quantityWords(): string[] {
  return ["count", "amount", "allocated", "allocation", "number", "quantity", "value"];
}
