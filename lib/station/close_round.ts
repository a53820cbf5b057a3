import { clamp01 } from "../core/numbers.ts";
import type { Mosaic } from "../schema/mosaic.ts";
import { finalPlan } from "./executability.ts";
import { constant, RULES } from "./rules.ts";
import { type FactionState, pressure, type StationState } from "./state.ts";

/**
 * The station after the end of a round (Table 1): ignored rumours wear down order and integrity, markets press
 * on it, scandals linger, ties and a passed plan hold it together. Directions are published, coefficients ours.
 *
 * All levels move from the values before the close; then rumours grow or die, and offers, scandals and panic fade.
 */
export function closeRound(state: StationState, rules: Mosaic = RULES): StationState {
  const c = (name: string) => constant(rules.close, name);
  const { heat, scandalLoad, offers, panic } = pressure(state);
  const passed = state.proposals.some(({ status }) => status === "passed" || status === "executed");
  const e = passed ? finalPlan(state, rules)!.e : 0;
  const plan = e >= rules.stabilise.executability ? e : 0;
  const ties = Math.min(1, state.edges.length / c("coalitionFull"));
  const want = 1 - state.power / rules.power.available;
  const order = state.order - c("orderHeat") * heat - c("orderScandal") * scandalLoad - c("orderOffer") * offers -
    c("orderPanic") * panic - c("orderPower") * want + c("orderPlan") * plan;
  const info = state.info - c("infoHeat") * heat - c("infoScandal") * scandalLoad + c("infoRest") +
    c("infoPlan") * plan;
  const trust = state.trust - c("trustScandal") * scandalLoad + c("trustPlan") * plan + c("trustCoalition") * ties;
  const blurred = Math.max(0, 1 - c("manipulationInfo") * state.info);
  return {
    ...state,
    order: clamp01(order),
    info: clamp01(info),
    trust: clamp01(trust),
    authority: clamp01(state.authority + c("authorityPlan") * plan),
    manipulation: c("manipulationKeep") * state.manipulation +
      (c("manipulationHeat") * heat + c("manipulationOffer") * offers) * blurred,
    rumors: settleRumors(state, rules),
    offers: state.offers.map((offer) => ({ ...offer, pressure: offer.pressure * c("offerKeep") })),
    scandals: state.scandals.map((scandal) => ({ ...scandal, load: scandal.load * c("scandalKeep") })),
    factions: {
      outer: settleFaction(state.factions.outer, state, rules),
      sponsor: settleFaction(state.factions.sponsor, state, rules),
    },
  };
}

/** Each rumour grows by its own rate, and one that has died down is gone. */
function settleRumors({ rumors }: StationState, { close }: Mosaic): StationState["rumors"] {
  return rumors.map((rumor) => ({ ...rumor, heat: Math.min(1, rumor.heat * rumor.growth) }))
    .filter(({ heat }) => heat >= constant(close, "heatCut"));
}

/** The moderator bot acts after the close: it cools the hottest rumour, which may die of it. */
export function moderateHottest(state: StationState, target: string, { close }: Mosaic = RULES): StationState {
  const rumors = state.rumors.map((rumor) =>
    rumor.id === target ? { ...rumor, heat: rumor.heat * constant(close, "moderatorHeat") } : rumor
  );
  return { ...state, rumors: rumors.filter(({ heat }) => heat >= constant(close, "heatCut")) };
}

/** Panic fades; sentiment follows order less panic, a faction's trust follows the station's less panic. */
function settleFaction(faction: FactionState, { order, trust }: StationState, { close }: Mosaic): FactionState {
  const pull = (value: number, towards: number, name: string) =>
    clamp01(value + constant(close, name) * (clamp01(towards) - value));
  return {
    sentiment: pull(faction.sentiment, order - faction.panic, "sentimentPull"),
    trust: pull(faction.trust, trust * (1 - faction.panic), "factionTrustPull"),
    panic: faction.panic * constant(close, "panicKeep"),
  };
}
