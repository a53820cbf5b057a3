import { maxIndex } from "d3-array";
import { clamp01 } from "../core/numbers.ts";
import type { Mosaic } from "../schema/mosaic.ts";
import type { ActionTaken } from "../schema/station_event.ts";
import { COUNCIL, type CouncilRole, type Faction } from "../schema/station_ids.ts";
import { constant, RULES } from "./rules.ts";
import type { StationProposal, StationState } from "./state.ts";

/**
 * The station after one action of a role. Effects are ours (`act` in the rules); the names and that they exist are
 * published (Table 12). An action that was refused, or lacks the tokens it takes, changes nothing.
 */
export function applyAction(state: StationState, event: ActionTaken, rules: Mosaic = RULES): StationState {
  const { role, action, target } = event;
  const c = (name: string) => constant(rules.act, name);
  if (event.refused !== undefined) return state;
  switch (action) {
    case "speak":
    case "observe":
      return state;
    case "propose":
    case "fork_proposal":
      return file(state, event, rules);
    case "endorse":
      return endorse(state, event, rules);
    case "oppose":
      return cast(without(state, role, authorOf(state, target)), target!, role, -4);
    case "vote":
      return cast(state, target!, role, event.support ? 4 : -4);
    case "form_coalition":
      return shift(tie(state, role, [target as CouncilRole]), { trust: c("formTrust") });
    case "defect":
      return shift(defect(state, role), { trust: -c("defectTrust") });
    case "broadcast":
      return shift(
        { ...state, rumors: state.rumors.map((rumor) => ({ ...rumor, heat: rumor.heat * c("broadcastHeat") })) },
        { order: c("broadcastOrder"), info: c("broadcastInfo"), trust: c("broadcastTrust") },
      );
    case "moderate":
      return shift(cool(state, undefined, c("moderateHeat")), { order: c("moderateOrder") });
    case "fact_check":
      return spend(state, c("factTokens"), (paid) => shift(cool(paid, target, c("factHeat")), { info: c("factInfo") }));
    case "audit":
      return spend(state, c("auditTokens"), (paid) => audit(paid, c));
    case "poll":
      return spend(state, c("pollTokens"), (paid) => shift(paid, { trust: c("pollTrust") }));
    case "appeal":
      return appeal(state, rules.roles[role].faction, c);
    case "allocate": {
      const top = maxIndex(state.offers, ({ pressure }) => pressure);
      const offers = changedAt(state.offers, top, ({ pressure }) => ({ pressure: pressure * c("allocateOffer") }));
      return panic({ ...state, offers }, "outer", -c("allocatePanic"));
    }
    case "repair":
      return { ...state, power: Math.min(rules.power.available, state.power + c("repairPower")) };
    case "leak":
      return shift(
        scandal(state, `${event.round}${role}`, c("leakScandal"), "Council papers are passed to the press."),
        { info: -c("leakInfo"), trust: -c("leakTrust") },
      );
    case "spread_rumor": {
      const text = event.statement ?? "A rumour goes round, nobody knows from whom.", id = `R${event.round}${role}`;
      const rumor = { id, text, heat: c("spreadHeat"), growth: c("spreadGrowth"), from: role };
      return shift({ ...state, rumors: [...state.rumors, rumor] }, { info: -c("spreadInfo") });
    }
    case "bribe": {
      const known = scandal(state, `${event.round}${role}`, c("bribeScandal"), "A private advantage was offered.");
      const pressed = { ...known, manipulation: state.manipulation + c("bribeManipulation") };
      return shift(pressed, { trust: -c("bribeTrust") });
    }
    case "auction": {
      const pressed = { ...state, manipulation: state.manipulation + c("auctionManipulation") };
      const sold = shift(pressed, { order: -c("auctionOrder") });
      return panic(panic(sold, "sponsor", -c("auctionSponsor")), "outer", c("auctionOuter"));
    }
    case "sabotage": {
      const power = Math.max(0, state.power - c("sabotagePower"));
      return shift({ ...state, power }, { order: -c("sabotageOrder") });
    }
  }
}

type Level = "order" | "info" | "trust";

/** The station with some of its levels moved, none beyond 0 or 1. */
export function shift(state: StationState, by: Readonly<Partial<Record<Level, number>>>): StationState {
  const moved = Object.entries(by).map(([level, change]) => [level, clamp01(state[level as Level] + change)]);
  return { ...state, ...Object.fromEntries(moved) };
}

/** A fallback's own vote is a quarter, a council's a whole one. */
function file(
  state: StationState,
  { role, round, action, target, origin, filing }: ActionTaken,
  { fallback }: Mosaic,
): StationState {
  const { id, plan, flaw, reading } = filing!;
  const valid = plan !== undefined && flaw === undefined;
  const code = flaw ?? reading.code;
  const proposal: StationProposal = {
    id,
    by: role,
    round,
    origin: origin.kind,
    ...(action === "fork_proposal" && { parent: target! }),
    status: valid ? "open" : "invalid",
    ...(plan && { plan }),
    ...(!valid && code !== undefined && { flaw: code }),
    votes: { [role]: origin.kind === "model" ? 4 : fallback.own },
  };
  const filed = { ...state, proposals: [...state.proposals, proposal] };
  const parent = action === "fork_proposal" ? authorOf(state, target) : undefined;
  return parent ? tie(filed, role, [parent]) : filed;
}

/** A council's endorsement ties it to the author and all who already back it; a fallback's ties to the author alone. */
function endorse(state: StationState, { role, target, origin }: ActionTaken, { fallback }: Mosaic): StationState {
  const proposal = state.proposals.find(({ id }) => id === target)!;
  if (origin.kind === "fallback") {
    const quarters = Math.min(fallback.most, (proposal.votes[role] ?? 0) + fallback.quarters);
    return tie(cast(state, proposal.id, role, quarters), role, [proposal.by]);
  }
  const backers = COUNCIL.filter((other) => (proposal.votes[other] ?? 0) > 0);
  return tie(cast(state, proposal.id, role, 4), role, [proposal.by, ...backers]);
}

function cast(state: StationState, target: string, role: CouncilRole, quarters: number): StationState {
  return changedProposal(state, target, ({ votes }) => ({ votes: { ...votes, [role]: quarters } }));
}

/** The station with something of one proposal changed. */
export function changedProposal(
  state: StationState,
  id: string,
  change: (proposal: StationProposal) => Partial<StationProposal>,
): StationState {
  const at = state.proposals.findIndex((proposal) => proposal.id === id);
  return { ...state, proposals: changedAt(state.proposals, at, change) };
}

const changedAt = <One>(list: readonly One[], at: number, change: (one: One) => Partial<One>): One[] =>
  list.map((one, i) => i === at ? { ...one, ...change(one) } : one);

/** The edge between two roles, in council order. */
export const edge = (a: CouncilRole, b: CouncilRole): string =>
  COUNCIL.indexOf(a) < COUNCIL.indexOf(b) ? `${a}|${b}` : `${b}|${a}`;

function tie(state: StationState, role: CouncilRole, others: readonly CouncilRole[]): StationState {
  const added = others.filter((other) => other !== role).map((other) => edge(role, other));
  return { ...state, edges: [...new Set([...state.edges, ...added])] };
}

function without(state: StationState, role: CouncilRole, other: CouncilRole | undefined): StationState {
  return other === undefined ? state : { ...state, edges: state.edges.filter((pair) => pair !== edge(role, other)) };
}

function defect(state: StationState, role: CouncilRole): StationState {
  const proposals = state.proposals.map((proposal) => {
    const { [role]: _, ...votes } = proposal.votes;
    return proposal.status === "open" ? { ...proposal, votes } : proposal;
  });
  return { ...state, proposals, edges: state.edges.filter((pair) => !pair.split("|").includes(role)) };
}

function cool(state: StationState, target: string | undefined, factor: number): StationState {
  const named = state.rumors.findIndex(({ id }) => id === target);
  const chosen = named >= 0 ? named : maxIndex(state.rumors, ({ heat }) => heat);
  return { ...state, rumors: changedAt(state.rumors, chosen, ({ heat }) => ({ heat: heat * factor })) };
}

function audit(state: StationState, c: (name: string) => number): StationState {
  const worst = maxIndex(state.scandals, ({ load }) => load);
  const scandals = changedAt(state.scandals, worst, ({ load }) => ({ load: Math.max(0, load - c("auditScandal")) }));
  return shift({ ...state, scandals }, { info: c("auditInfo"), trust: c("auditTrust") });
}

function appeal(state: StationState, faction: Faction | undefined, c: (name: string) => number): StationState {
  const calmed = faction
    ? panic(state, faction, -c("appealOwn"))
    : panic(panic(state, "outer", -c("appealBoth")), "sponsor", -c("appealBoth"));
  return shift(calmed, { trust: c("appealTrust") });
}

/** A faction's panic moved by an amount. */
export function panic(state: StationState, faction: Faction, change: number): StationState {
  const moved = { ...state.factions[faction], panic: clamp01(state.factions[faction].panic + change) };
  return { ...state, factions: { ...state.factions, [faction]: moved } };
}

/** A scandal more. */
export function scandal(state: StationState, id: string, load: number, text: string): StationState {
  return { ...state, scandals: [...state.scandals, { id, load, text }] };
}

function spend(state: StationState, tokens: number, then: (paid: StationState) => StationState): StationState {
  return state.tokens < tokens ? state : then({ ...state, tokens: state.tokens - tokens });
}

const authorOf = ({ proposals }: StationState, target: string | undefined): CouncilRole | undefined =>
  proposals.find(({ id }) => id === target)?.by;
