import { ActionName, CouncilRole } from "../../schema/station_ids.ts";
import type { Seat } from "./sight.ts";
import { unreadable } from "./unreadable.ts";

const ROLE = /^You sit on the council of [^\n]*? as (\w+) \(/;
const ACTIONS = "\nACTIONS\n";
const ACTION = /^- (\w+): /gm;
const SCHEMA = "\nPROPOSAL SCHEMA\n";

/**
 * The seat that a system prompt gives: role, the actions it lists, and whether it shows the proposal schema.
 *
 * @throws {UserError} where it names no council role or lists no action.
 */
export function readSeat(system: string): Seat {
  const role = CouncilRole.safeParse(ROLE.exec(system)?.[1]);
  if (!role.success) throw unreadable("the system prompt does not open with the council and a role");
  const start = system.indexOf(ACTIONS);
  const schema = system.indexOf(SCHEMA);
  const list = start < 0 ? "" : system.slice(start, schema < start ? undefined : schema);
  const allowed = [...list.matchAll(ACTION)].map((match) => ActionName.safeParse(match[1]));
  if (allowed.length === 0) throw unreadable("the system prompt has no list under ACTIONS");
  return {
    role: role.data,
    schemaShown: schema >= 0,
    allowed: new Set(allowed.flatMap(({ data }) => data ?? [])),
  };
}
