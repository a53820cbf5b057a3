import type { Mosaic } from "../schema/mosaic.ts";
import type { StationEvent } from "../schema/station_event.ts";
import { applyEvent } from "./apply_event.ts";
import { initialState, pressure, type StationState } from "./state.ts";

/**
 * The levels of the station that a round is measured by: order, trust, information and authority in [0, 1]; the units of
 * power available, 0 to 100; manipulation pressure, ≥ 0; the mean panic of the two factions; the pressure of the open
 * market offers together; how many rumours are active, and their heat together; the load of the scandals together; and the
 * ties of the coalition graph.
 */
export const LEVELS = [
  ...["order", "trust", "information", "authority", "power", "manipulation", "panic", "offers"] as const,
  ...["rumors", "heat", "scandal", "coalition"] as const,
];

/**
 * The station at the start, round 0, and after each round's close and moderator. `fallbacks`: turns of the round that the
 * clerk filled; `passed`: plans that have passed up to here.
 */
export type RoundLevels = Readonly<Record<(typeof LEVELS)[number] | "round" | "passed" | "fallbacks", number>>;

/** The levels of a run, round by round from round 0, the start. A run that was cut off ends with its last whole round. */
export function stationLevels(events: readonly StationEvent[], rules: Mosaic): RoundLevels[] {
  let state = initialState(rules);
  let [passed, fallbacks] = [0, 0];
  const rounds = [levelsOf(state, { passed, fallbacks })];
  for (const event of events) {
    // The moderator acts after the close, so a round ends where the next one opens.
    if (event.kind === "run.closed" || (event.kind === "round.opened" && event.round > 1)) {
      rounds.push(levelsOf(state, { passed, fallbacks }));
      fallbacks = 0;
    }
    if (event.kind === "gate.judged" && event.passed) passed++;
    if (event.kind === "action.taken" && event.origin.kind === "fallback") fallbacks++;
    state = applyEvent(state, event, rules);
  }
  return rounds;
}

function levelsOf(state: StationState, counts: Pick<RoundLevels, "passed" | "fallbacks">): RoundLevels {
  const { round, order, trust, info, authority, power, manipulation, rumors, edges } = state;
  const { heat, scandalLoad, panic, offers } = pressure(state);
  return {
    ...{ round, order, trust, information: info, authority, power, manipulation, panic, offers },
    ...{ rumors: rumors.length, heat, scandal: scandalLoad, coalition: edges.length, ...counts },
  };
}
