import type { Mosaic } from "../schema/mosaic.ts";
import type { StationEvent } from "../schema/station_event.ts";
import { applyEvent } from "../station/apply_event.ts";
import { RULES } from "../station/rules.ts";
import { initialState, type StationState } from "../station/state.ts";

/** One rumour's life. Heat is in [0, 1]; at 0 the rumour is over. */
interface RumorTrack {
  readonly id: string;
  readonly text: string;
  /** Who or what brought it up. */
  readonly from: string;
  readonly born: { readonly round: number; readonly heat: number };
  /** Heat at the end of each round from its birth to its end. */
  readonly heat: { round: number; heat: number }[];
  /** What made it cooler, in the order of happening. */
  readonly cooled: { round: number; act: string; by: string }[];
}

/** One proposal from filing, in `round`, to its end. */
interface ProposalLife extends Pick<StationState["proposals"][number], "id" | "by" | "origin" | "round"> {
  /** The proposal it was forked from. */
  readonly parent?: string | undefined;
  readonly status: StationState["proposals"][number]["status"];
  /** Why it is invalid. */
  readonly flaw?: string | undefined;
  /** The gate's judgement at the end of rounds: whole votes, quarters possible; executability in [0, 1]. */
  readonly gates: readonly Gate[];
  /** The round in which its plan was carried out. */
  readonly executed?: number | undefined;
}

type Gate = Pick<
  Extract<StationEvent, { kind: "gate.judged" }>,
  "round" | "support" | "against" | "executability" | "passed"
>;

/** A tie between two roles. A pair that came together again has one entry for each time. */
interface CoalitionEdge {
  readonly a: string;
  readonly b: string;
  /** The round in which it formed. */
  readonly round: number;
  /** The round in which it broke. Absent: it stood to the end. */
  readonly broken?: number;
}

/** How each thing of a run came and went. */
interface StationStory {
  readonly rumors: readonly RumorTrack[];
  readonly edges: readonly CoalitionEdge[];
  readonly proposals: readonly ProposalLife[];
}

/** What acts on a rumour, and how the acting is called in the figure. */
const COOLING = new Set(["broadcast", "moderate", "fact_check", "cool"]);

/** Tells a run from its events alone. */
export function stationStory(events: readonly StationEvent[], rules: Mosaic = RULES): StationStory {
  const rumors = new Map<string, RumorTrack>();
  const edges = new Map<string, CoalitionEdge>();
  const gates = new Map<string, Gate[]>();
  const executed = new Map<string, number>();
  let state = initialState(rules);
  for (const event of events) {
    const before = state;
    state = applyEvent(state, event, rules);
    const round = "round" in event ? event.round : state.round;
    if (event.kind === "gate.judged") {
      const { proposal, support, against, executability, passed } = event;
      gates.set(proposal, [...gates.get(proposal) ?? [], { round, support, against, executability, passed }]);
    }
    if (event.kind === "plan.executed") executed.set(event.proposal, round);
    trackRumors(rumors, before, state, event, round);
    trackEdges(edges, before, state, round);
    if (event.kind === "round.opened" && round > 1) noteHeat(rumors, before, round - 1);
    if (event.kind === "run.closed") noteHeat(rumors, state, state.round);
  }
  const proposals = state.proposals.map(({ id, by, origin, round, parent, status, flaw }) => ({
    ...{ id, by, origin, round, parent, status, flaw },
    gates: gates.get(id) ?? [],
    executed: executed.get(id),
  }));
  return { rumors: [...rumors.values()], edges: [...edges.values()], proposals };
}

function trackRumors(
  tracks: Map<string, RumorTrack>,
  before: StationState,
  after: StationState,
  event: StationEvent,
  round: number,
): void {
  for (const { id, text, from, heat } of after.rumors) {
    if (!tracks.has(id)) tracks.set(id, { id, text, from, born: { round, heat }, heat: [], cooled: [] });
  }
  const act = event.kind === "action.taken" ? event.action : event.kind === "bot.acted" ? event.act : undefined;
  if (act === undefined || !COOLING.has(act)) return;
  const by = event.kind === "action.taken" ? event.role : event.kind === "bot.acted" ? event.bot : "";
  for (const { id, heat } of before.rumors) {
    const now = after.rumors.find((rumor) => rumor.id === id)?.heat ?? 0;
    if (now < heat) tracks.get(id)!.cooled.push({ round, act, by });
  }
}

function trackEdges(
  edges: Map<string, CoalitionEdge>,
  before: StationState,
  after: StationState,
  round: number,
): void {
  if (before.edges === after.edges) return;
  for (const pair of after.edges) {
    const [a, b] = pair.split("|") as [string, string];
    if (!before.edges.includes(pair)) edges.set(`${pair}/${round}`, { a, b, round });
  }
  for (const pair of before.edges) {
    if (after.edges.includes(pair)) continue;
    const key = [...edges.keys()].findLast((known) => known.startsWith(`${pair}/`))!;
    edges.set(key, { ...edges.get(key)!, broken: round });
  }
}

/** The heat of every rumour that was ever there, at the end of a round, once the moderator has acted. */
function noteHeat(tracks: ReadonlyMap<string, RumorTrack>, state: StationState, round: number): void {
  for (const [id, { heat }] of tracks) {
    if (heat.at(-1)?.heat === 0) continue;
    heat.push({ round, heat: state.rumors.find((rumor) => rumor.id === id)?.heat ?? 0 });
  }
}
