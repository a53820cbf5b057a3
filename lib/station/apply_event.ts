import type { Mosaic } from "../schema/mosaic.ts";
import type { Shock, StationEvent } from "../schema/station_event.ts";
import { applyAction, panic, scandal, shift } from "./apply_action.ts";
import { closeRound, moderateHottest } from "./close_round.ts";
import { RULES } from "./rules.ts";
import { initialState, type ProposalStatus, type StationState } from "./state.ts";

/**
 * The station after one event. Pure: no clock, no dice, no model. Weather and models act before an event is made and
 * their outcome is in it, so `events.reduce((state, event) => applyEvent(state, event), initialState())` replays any run.
 */
export function applyEvent(state: StationState, event: StationEvent, rules: Mosaic = RULES): StationState {
  switch (event.kind) {
    case "run.opened":
      return state;
    case "bot.acted":
      return event.act === "cool" && event.target !== undefined ? moderateHottest(state, event.target, rules) : state;
    case "round.opened":
      return { ...state, round: event.round };
    case "shock.struck":
      return strike(state, event.shock, rules);
    case "action.taken":
      return applyAction(state, event, rules);
    case "gate.judged":
      return event.passed ? setStatus(state, event.proposal, "passed") : state;
    case "plan.executed":
      return setStatus(state, event.proposal, "executed");
    case "round.closed":
      return closeRound(state, rules);
    case "run.closed": {
      const proposals = state.proposals.map((one) =>
        one.status === "open" ? { ...one, status: "blocked" as const } : one
      );
      return { ...state, proposals, closed: true, stabilized: event.stabilized };
    }
  }
}

/** The station at the close of each round, before the moderator. */
export function statesAtCloses(events: readonly StationEvent[], rules: Mosaic = RULES): StationState[] {
  let state = initialState(rules);
  return events.flatMap((event) => {
    state = applyEvent(state, event, rules);
    return event.kind === "round.closed" ? [state] : [];
  });
}

function setStatus(state: StationState, id: string, status: ProposalStatus): StationState {
  return { ...state, proposals: state.proposals.map((one) => one.id === id ? { ...one, status } : one) };
}

/** The effect of a shock of the weather; it grows with its severity. */
function strike(
  state: StationState,
  { id, kind, severity, growth = 1, text, by }: Shock,
  { shock }: Mosaic,
): StationState {
  switch (kind) {
    case "rumor":
      return {
        ...state,
        rumors: [...state.rumors, { id, text, heat: Math.min(1, shock.rumorHeat * severity), growth, from: by }],
      };
    case "power_fault":
      return { ...state, power: Math.max(0, state.power - shock.powerFault * severity) };
    case "market_offer":
      return { ...state, offers: [...state.offers, { id, pressure: shock.offer * severity, text }] };
    case "scandal":
      return scandal(state, id, shock.scandal * severity, text);
    case "leak":
      return shift(scandal(state, id, shock.leakScandal * severity, text), { info: -shock.leakInfo * severity });
    case "panic_outer":
      return panic(state, "outer", shock.panic * severity);
    case "panic_sponsor":
      return panic(state, "sponsor", shock.panic * severity);
  }
}
