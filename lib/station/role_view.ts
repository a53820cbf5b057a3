import type { Mosaic } from "../schema/mosaic.ts";
import type { ActionTaken, Reading, StationEvent } from "../schema/station_event.ts";
import type { CouncilRole } from "../schema/station_ids.ts";
import { powerScore } from "./executability.ts";
import { hasSupport } from "./gate.ts";
import { RULES } from "./rules.ts";
import type { FactionState, StationState } from "./state.ts";

/**
 * A role's view of the station: everyone sees levels to one decimal, proposals with their votes, rumours, ties and
 * what happened this round; each role also sees what its office knows exactly (ours). Coming shocks, severities, growth,
 * q and its weights, and other roles' private lines are not shown.
 *
 * @param past all events so far.
 * @returns `passed`: plans that have passed or been carried out; `events`: shocks, background roles and earlier actions of
 * this round; `last`: how the role's own last reply was read, undefined before its first; `withoutEffect`: why its last
 * action had no effect although it could be read, refused or a plan over budget.
 */
export function roleView(
  state: StationState,
  role: CouncilRole,
  past: readonly StationEvent[],
  rules: Mosaic = RULES,
) {
  const { order, trust, info, authority } = state, coarse = (value: number) => Math.round(10 * value) / 10;
  const own = past.filter((event) => event.kind === "action.taken").findLast((event) => event.role === role);
  const polled = own?.action === "poll" && own.refused === undefined ? exactLevels(state) : [];
  return {
    role,
    round: state.round,
    hoursLeft: (rules.rounds - state.round + 1) * rules.hoursPerRound,
    levels: { order: coarse(order), trust: coarse(trust), info: coarse(info), authority: coarse(authority) },
    tokens: state.tokens,
    proposals: state.proposals.filter(({ status }) => status === "open"),
    passed: state.proposals.filter(({ status }) => status === "passed" || status === "executed"),
    rumors: state.rumors.map(({ id, text }) => ({ id, text })),
    edges: state.edges,
    events: past.slice(past.findLastIndex(({ kind }) => kind === "round.opened") + 1),
    privately: [...officeLines(state, role, rules), ...polled],
    last: own && ownReading(own),
    withoutEffect: own?.refused ?? own?.filing?.flaw,
  };
}

/** How the role's own words were read: not the clerk's, and where no words came, why. */
function ownReading({ origin, filing, reading }: ActionTaken): Reading | undefined {
  if (origin.kind === "model") return filing?.reading ?? reading;
  return reading ?? { rawValid: false, normalisedValid: false, repairs: [], code: origin.cause };
}

function officeLines(state: StationState, role: CouncilRole, rules: Mosaic): string[] {
  const open = state.proposals.filter(({ status }) => status === "open");
  const two = (value: number) => value.toFixed(2);
  const mood = ({ sentiment, panic, trust }: FactionState) =>
    `sentiment ${two(sentiment)}, panic ${two(panic)}, trust ${two(trust)}`;
  switch (role) {
    case "C1_COMMAND":
      return [
        `command authority: ${two(state.authority)}`,
        `proposals with enough votes: ${open.filter(({ votes }) => hasSupport(votes, rules)).length}`,
      ];
    case "C2_EQUITY":
      return state.scandals.map(({ id, load }) => `scandal ${id}: load ${two(load)}`);
    case "C3_ENGINEER":
      return [
        `power available: ${two(state.power)}`,
        ...open.map(({ id, plan }) => `${id} covers ${two(powerScore(plan!, state.power, rules))} of the power needs`),
      ];
    case "C4_CIVIL":
      return state.rumors.map(({ id, heat }) => `rumour ${id}: heat ${two(heat)}`);
    case "F1_OUTER":
      return [`Outer Ring: ${mood(state.factions.outer)}`];
    case "F2_SPONSOR":
      return [
        `sponsor deck: ${mood(state.factions.sponsor)}`,
        ...state.offers.map(({ id, pressure }) => `offer ${id}: pressure ${two(pressure)}`),
      ];
  }
}

const exactLevels = ({ order, trust, info, authority }: StationState): string[] => [
  `poll: public order ${order.toFixed(3)}, trust ${trust.toFixed(3)}, information ${info.toFixed(3)}, authority ${
    authority.toFixed(3)
  }`,
];

export type RoleView = Readonly<ReturnType<typeof roleView>>;
