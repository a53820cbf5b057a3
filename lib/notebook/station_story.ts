import type { CoalitionEdge } from "../plots/coalition_plot.ts";
import type { ProposalLife } from "../plots/proposal_plot.ts";
import type { RumorTrack } from "../plots/rumor_plot.ts";
import type { StationLevels, TimelinePass, TimelineShock } from "../plots/station_timeline.ts";
import type { Mosaic } from "../schema/mosaic.ts";
import type { StationEvent } from "../schema/station_event.ts";
import { applyEvent } from "../station/apply_event.ts";
import { RULES } from "../station/rules.ts";
import { initialState, type StationState } from "../station/state.ts";

/** One run as the figures want it: what was where at each round, and how each thing came and went. */
export interface StationStory {
  /** Round 0 is the start; the others are after the close and the moderator. */
  readonly rounds: readonly StationLevels[];
  readonly shocks: readonly TimelineShock[];
  readonly passes: readonly TimelinePass[];
  readonly executions: readonly TimelinePass[];
  readonly rumors: readonly RumorTrack[];
  readonly edges: readonly CoalitionEdge[];
  readonly proposals: readonly ProposalLife[];
}

/** What acts on a rumour, and how the acting is called in the figure. */
const COOLING = new Set(["broadcast", "moderate", "fact_check", "cool"]);

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? U[] : T[K] };

/** Tells a run from its events alone. */
export function stationStory(events: readonly StationEvent[], rules: Mosaic = RULES): StationStory {
  const story: Writable<StationStory> = {
    rounds: [],
    shocks: [],
    passes: [],
    executions: [],
    rumors: [],
    edges: [],
    proposals: [],
  };
  const rumors = new Map<
    string,
    Writable<RumorTrack> & {
      heat: { round: number; heat: number }[];
      cooled: { round: number; act: string; by: string }[];
    }
  >();
  const edges = new Map<string, { a: string; b: string; round: number; broken?: number }>();
  const gates = new Map<string, NonNullable<ProposalLife["gates"]>[number][]>();
  const executed = new Map<string, number>();
  let state = initialState(rules);
  story.rounds.push(levels(state));
  for (const event of events) {
    const before = state;
    state = applyEvent(state, event, rules);
    const round = "round" in event ? event.round : state.round;
    if (event.kind === "shock.struck") {
      story.shocks.push({ round, id: event.shock.id, kind: event.shock.kind, severity: event.shock.severity });
    }
    if (event.kind === "gate.judged") {
      const { proposal, support, against, executability, passed } = event;
      gates.set(proposal, [...gates.get(proposal) ?? [], { round, support, against, executability, passed }]);
      if (passed) story.passes.push({ round, proposal });
    }
    if (event.kind === "plan.executed") {
      story.executions.push({ round, proposal: event.proposal });
      executed.set(event.proposal, round);
    }
    trackRumors(rumors, before, state, event, round);
    trackEdges(edges, before, state, round);
    if (event.kind === "round.opened" && round > 1) closeTracks(rumors, before, round - 1, story);
    if (event.kind === "run.closed") closeTracks(rumors, state, state.round, story);
  }
  story.rumors = [...rumors.values()];
  story.edges = [...edges.values()];
  story.proposals = state.proposals.map(({ id, by, origin, round, parent, status, flaw }) => ({
    ...{ id, by, origin, round, parent, status, flaw },
    gates: gates.get(id) ?? [],
    executed: executed.get(id),
  }));
  return story;
}

function levels({ round, order, trust, info, authority, power, manipulation }: StationState): StationLevels {
  return { round, order, trust, info, authority, power, manipulation };
}

type Tracks = Map<
  string,
  Writable<RumorTrack> & {
    heat: { round: number; heat: number }[];
    cooled: { round: number; act: string; by: string }[];
  }
>;

function trackRumors(
  tracks: Tracks,
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
  edges: Map<string, { a: string; b: string; round: number; broken?: number }>,
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

/** The end of a round, once the moderator has acted: levels, and the heat of every rumour that was ever there. */
function closeTracks(tracks: Tracks, state: StationState, round: number, story: Writable<StationStory>): void {
  story.rounds.push({ ...levels(state), round });
  for (const [id, track] of tracks) {
    if (track.heat.at(-1)?.heat === 0) continue;
    track.heat.push({ round, heat: state.rumors.find((rumor) => rumor.id === id)?.heat ?? 0 });
  }
}
