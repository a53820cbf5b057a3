import { canonicalJson } from "../core/canonical_json.ts";
import type { Mosaic } from "../schema/mosaic.ts";
import type { StationEvent } from "../schema/station_event.ts";
import { advance, nextStationStep, PROGRESS, type StationStep } from "../station/next_station_step.ts";
import { RULES } from "../station/rules.ts";
import { happening } from "../station/run_station.ts";
import { stationStart } from "../station/state.ts";
import { update } from "../station/update.ts";
import { weather } from "../station/weather.ts";

/** The first event that the station cannot have brought forth after those before it. */
export interface ProtocolFlaw {
  /** Counted from 0; one past the last where the run goes on too long. */
  readonly index: number;
  /** Continues a sentence that names the line. */
  readonly why: string;
}

type ActionTaken = Extract<StationEvent, { kind: "action.taken" }>;

/**
 * Checks a run's events, finished or not, against the order of business: everything but the council's own turns follows
 * from what came before and must be exactly that; a turn must be its role's, and its calls the next ones.
 *
 * @returns the first flaw; undefined where there is none. What a missing, doubled, exchanged or edited line looks like.
 */
export function protocolFlaw(events: readonly StationEvent[], rules: Mosaic = RULES): ProtocolFlaw | undefined {
  const opening = events[0];
  if (opening === undefined) return undefined;
  if (opening.kind !== "run.opened") return { index: 0, why: `is ${opening.kind}, where run.opened must stand` };
  const { seed, ruleset } = opening;
  const card = weather(seed, rules);
  let state = stationStart(rules);
  let progress = PROGRESS;
  let calls = 0;
  for (const [index, event] of events.entries()) {
    const step = nextStationStep(state, progress, progress.opened ? card : undefined, rules.rounds);
    if (step.kind === "done") return { index, why: `is ${event.kind}, though the run is closed` };
    const why = step.kind === "slot"
      ? slotFlaw(event, step, state.round, calls)
      : happeningFlaw(event, happening(step, state, { seed, ruleset, card, rules }));
    if (why !== undefined) return { index, why };
    if (event.kind === "action.taken") calls += event.origin.calls.length;
    state = update(state, event, rules);
    progress = advance(progress, event);
  }
  return undefined;
}

function slotFlaw(
  event: StationEvent,
  { role }: Extract<StationStep, { kind: "slot" }>,
  round: number,
  calls: number,
): string | undefined {
  if (event.kind !== "action.taken" || event.role !== role || event.round !== round) {
    const found = event.kind === "action.taken" ? `the turn of ${event.role} in round ${event.round}` : event.kind;
    return `is ${found}, where the turn of ${role} in round ${round} must stand`;
  }
  return callsFlaw(event, calls);
}

function callsFlaw({ origin }: ActionTaken, calls: number): string | undefined {
  const next = origin.calls.map((_, i) => calls + i);
  if (origin.calls.join() === next.join()) return undefined;
  return `names the calls ${origin.calls.join(", ")}, where ${next.join(", ")} would be next`;
}

function happeningFlaw(event: StationEvent, expected: StationEvent): string | undefined {
  if (canonicalJson(event) === canonicalJson(expected)) return undefined;
  if (event.kind !== expected.kind) return `is ${event.kind}, where ${expected.kind} must stand`;
  const [found, due] = [event, expected] as unknown as Record<string, unknown>[];
  const keys = [...new Set([...Object.keys(found!), ...Object.keys(due!)])];
  const field = keys.find((key) => canonicalJson(found![key]) !== canonicalJson(due![key]))!;
  return `(${event.kind}) has another ${field} than follows from the lines before it`;
}
