import { meanOfKnown } from "../core/numbers.ts";
import { known, remembered } from "../core/options.ts";
import type { RunSource } from "./run_source.ts";
import { naturally } from "./source_files.ts";
import type { Observation } from "./source_observations.ts";
import type { Reading, StateReader } from "./source_states.ts";
import type { ExcludedRun, SourceUnit } from "./source_units.ts";
import { located, SourceFlaw } from "./source_values.ts";

/** A call that can be compared between runs without its words. */
export interface FirstCall {
  readonly agent: string;
  /** Absent where the call gives no state. */
  readonly state?: readonly number[];
  /** SHA-256 of the text, where the state is read from one. */
  readonly words?: string;
}

type State = readonly number[] | undefined;

/** One run of anybody's records: T rounds, N agents, K options; round 1 is at index 0. */
export interface ImportedRun {
  readonly id: string;
  readonly file: string;
  readonly line?: number;
  /** [T][N][K]; undefined where an agent has not spoken yet. Equal states may be one array: do not write to them. */
  readonly states: readonly (readonly State[])[];
  /** [T][K]: means over the agents that have a state; zeros while nobody has one. */
  readonly means: readonly (readonly number[])[];
  /** [T][K]: how often each option was said in the round alone; a carried run repeats its last round. Empty for shares and numbers. */
  readonly said: readonly (readonly number[])[];
  /** Rounds that the run itself has, also beyond T. */
  readonly ended: number;
  /** Observations up to round T, openings with them, that give no state. */
  readonly unread: number;
  /** Numbers out of range that were kept as written. */
  readonly flagged: number;
  readonly decision?: string;
  /** [T][N]: what was said in the round alone, where the mapping says where it stands; undefined of an agent that said nothing. */
  readonly texts?: readonly (readonly (string | undefined)[])[];
  /** In a record of turns, the opening: it counts for its speaker but is no round. */
  readonly opening?: FirstCall;
  /** In a record of turns, the first that is a round. */
  readonly first?: FirstCall;
}

/** The runs of a mapping, all with the same agents, options and rounds. */
export interface AssembledRuns {
  /** K names; for issues `issue: option`, for numbers the ends of the range. */
  readonly options: readonly string[];
  /** N names, in the order of `states`. */
  readonly agents: readonly string[];
  readonly runs: readonly ImportedRun[];
  readonly excluded: readonly ExcludedRun[];
  /** Runs that ended before the last round and keep their last state until then. */
  readonly carried: number;
}

/**
 * Runs of equal shape from what was observed.
 *
 * @param options those that the reader of states has learnt; the indices of `chosen` refer to them.
 * @throws {UserError} naming file, line, run, round, agent and the choice of the mapping that would let the run pass.
 */
export function assembleRuns(
  units: readonly SourceUnit[],
  source: RunSource,
  { options: learnt }: Pick<StateReader, "options">,
): AssembledRuns {
  const excluded: ExcludedRun[] = [];
  const agents = usualAgents(units, source);
  const isExcluded = source.agents.different === "exclude";
  const alike = sift(units, "agents", isExcluded ? excluded : undefined, (unit) => otherAgents(unit, agents, source));
  const rounded = alike.map((unit) => located(unit, () => inRounds(unit, agents, source)));
  const T = source.rounds ?? rounded.reduce((longest, { ended }) => Math.max(longest, ended), 0);
  const lasts = source.ended === "carry" || source.ended === "cut";
  const kept = sift(
    rounded,
    "ended",
    source.ended === "exclude" ? excluded : undefined,
    ({ ended }) => ended < T && !lasts ? `ends at round ${ended} of ${T}` : undefined,
  );
  const rounds = source.ended === "cut" ? kept.reduce((shortest, { ended }) => Math.min(shortest, ended), T) : T;
  const occurring = source.state.kind === "vote" && source.state.options === "occurring";
  const options = occurring ? learnt.toSorted(naturally) : learnt;
  refuseSize(kept, rounds, agents.length + 2 * options.length, source);
  const shape = { rounds, agents, options, vectorOf: vectors(learnt.map((option) => options.indexOf(option))) };
  return {
    ...{ options, agents, excluded },
    runs: kept.map((unit) => located(unit, () => assembled(unit, shape, source))),
    carried: kept.filter(({ ended }) => ended < rounds).length,
  };
}

/** More would fill the memory; a round that is numbered far beyond the others is mostly a slip of the pen. */
const MOST_STATES = 5e7;

function refuseSize(units: readonly RoundedUnit[], rounds: number, width: number, { round }: RunSource): void {
  if (units.length * rounds * width <= MOST_STATES) return;
  const longest = units.reduce((longest, unit) => (unit.ended > longest.ended ? unit : longest));
  located(longest, () => {
    const choice = round.by === "path" ? "rounds or round" : "rounds";
    throw new SourceFlaw(`round ${rounds} for each of ${units.length} runs is more than the memory holds`, choice);
  });
}

/** The units without a flaw. Any other is listed where there is a list of those excluded, or else stops the import. */
function sift<Unit extends SourceUnit>(
  units: readonly Unit[],
  choice: string,
  excluded: ExcludedRun[] | undefined,
  flawOf: (unit: Unit) => string | undefined,
): Unit[] {
  return units.filter((unit) =>
    located(unit, () => {
      const cause = flawOf(unit), { id, file } = unit;
      if (cause !== undefined && !excluded) throw new SourceFlaw(cause, choice);
      if (cause !== undefined) excluded?.push({ id, file, cause });
      return cause === undefined;
    })
  );
}

/** The agents of a run in the order in which its records first name them. */
const agentsOf = remembered(({ observations }: SourceUnit): string[] => {
  const agents = new Set<string>();
  for (const { agent } of observations) agents.add(agent);
  return [...agents];
});

/** The agents in their fixed order: those of the mapping, those that most runs have, or all that occur. */
function usualAgents(units: readonly SourceUnit[], { agents, observations: { layout } }: RunSource): readonly string[] {
  if (agents.names !== undefined) return agents.names;
  if (agents.different === "allow") return [...new Set(units.flatMap(agentsOf))].sort(naturally);
  const sets = Map.groupBy(units.map(agentsOf), (names) => JSON.stringify(names.toSorted()));
  const usual = [...sets.values()].reduce((most, set) => (set.length > most.length ? set : most))[0]!;
  // Who speaks first is often redrawn; tables and lists of states have an order of their own.
  return layout === "turns" || layout === "pairs" ? usual.toSorted(naturally) : usual;
}

function otherAgents(unit: SourceUnit, usual: readonly string[], { agents }: RunSource): string | undefined {
  const own = agentsOf(unit), more = own.filter((agent) => !usual.includes(agent));
  const fewer = agents.different === "allow" ? [] : usual.filter((agent) => !own.includes(agent));
  const words = [...fewer.map((agent) => `without ${agent}`), ...more.map((agent) => `with ${agent}`)];
  return words.length > 0 ? `has other agents than expected: ${words.join(", ")}` : undefined;
}

/** A unit with the round of each observation, 0 in the opening, and its last round. */
interface RoundedUnit extends SourceUnit {
  readonly rounds: readonly number[];
  readonly ended: number;
}

function inRounds(unit: SourceUnit, agents: readonly string[], source: RunSource): RoundedUnit {
  const { round, observations: layout } = source, speakers = layout.layout === "pairs" ? layout.speakers.length : 1;
  const written = round.by === "count" ? round.every : 1,
    every = written === "agents" ? agents.length / speakers : written;
  if (!Number.isInteger(every)) throw new SourceFlaw(`a round would be ${every} interactions`, "round.every");
  const rounds = unit.observations.map(({ turn, round }) => turn < 0 ? 0 : round ?? Math.floor(turn / every) + 1);
  const ended = rounds.reduce((last, round) => Math.max(last, round), 0);
  if (ended === 0 && source.ended !== "exclude") throw new SourceFlaw("has no round", "observations");
  return { ...unit, rounds, ended };
}

/** The vector of a reading, from the places of its options. */
function vectors(places: readonly number[]): (reading: Reading) => readonly number[] {
  // Readings of chosen options are few; those of shares are as many as the rows, and nothing is made of them.
  const ofChosen = remembered(({ chosen = [] }: Reading) => {
    const shares = places.map(() => 0);
    for (const k of chosen) shares[places[k]!] = 1 / chosen.length;
    return shares;
  });
  return (reading) => reading.vector ?? ofChosen(reading);
}

interface Shape extends Pick<AssembledRuns, "options" | "agents"> {
  readonly rounds: number;
  readonly vectorOf: (reading: Reading) => readonly number[];
}

function assembled(unit: RoundedUnit, { rounds, agents, options, vectorOf }: Shape, source: RunSource): ImportedRun {
  const { id, file, line, observations, ended, decision } = unit;
  const seatOf = new Map(agents.map((agent, seat) => [agent, seat])), twice = isTwiceRefused(source);
  const byRound = Array.from({ length: rounds + 1 }, (): Observation[] => []);
  observations.forEach((observation, i) => byRound[unit.rounds[i]!]?.push(observation));
  const texts = byRound.map(() => agents.map((): string | undefined => undefined));
  const states: State[][] = [], said: number[][] = [], latest = agents.map(() => 0);
  let unread = 0, flagged = 0, held: State[] = agents.map(() => undefined);
  for (const [t, spoken] of byRound.entries()) {
    const words = t > ended ? said[ended]! : options.map(() => 0);
    if (t <= ended) held = source.hold === "last" ? [...held] : agents.map(() => undefined);
    for (const observation of spoken) {
      const seat = seatOf.get(observation.agent)!, reading = accepted(observation, t, source);
      if (twice && t > 0 && latest[seat] === t) {
        throw flawAt(t, observation.agent, "has a second state", "repeated", observation.line);
      }
      latest[seat] = t;
      const { text } = observation, before = texts[t]![seat];
      if (text !== undefined) texts[t]![seat] = before === undefined ? text : `${before}\n${text}`;
      if (reading === undefined) unread += 1;
      else {
        if (reading.flaw) flagged += 1;
        const state = held[seat] = vectorOf(reading);
        for (let k = 0; k < state.length; k++) words[k]! += state[k]! > 0 ? 1 : 0;
      }
    }
    if (t > 0) refuseGap(held, t, agents, source);
    states.push(held);
    said.push(words);
  }
  const counted = source.state.kind === "vote" || source.state.kind === "issues";
  return {
    ...{ id, file, ended, unread, flagged },
    ...known({ line, decision, texts: source.text === undefined ? undefined : texts.slice(1) }),
    states: states.slice(1),
    means: states.slice(1).map((round) => meanOfKnown(round, options.length)),
    said: counted ? said.slice(1) : [],
    ...(source.observations.layout === "turns" && firstCalls(observations, vectorOf)),
  };
}

/** Where the records number rounds, an agent has one state in a round; in a round that is counted, it may speak again. */
const isTwiceRefused = ({ repeated, round }: RunSource): boolean => repeated === "refuse" && round.by !== "count";

const flawAt = (t: number, agent: string, words: string, choice: string, line?: number): SourceFlaw =>
  new SourceFlaw(`${t === 0 ? "opening" : `round ${t}`}, agent ${agent}: ${words}`, choice, line);

/** A reading that gives a state; undefined where it counts as unread. */
function accepted({ agent, reading, line }: Observation, t: number, { outside }: RunSource): Reading | undefined {
  const { flaw, vector } = reading;
  if (flaw === undefined) return reading;
  if (outside === "refuse") throw flawAt(t, agent, flaw.words, `${flaw.choice} or outside`, line);
  return outside === "flag" && vector !== undefined ? reading : undefined;
}

function refuseGap(states: readonly State[], t: number, agents: readonly string[], { hold }: RunSource): void {
  const seat = states.indexOf(undefined);
  if (hold === "refuse" && seat >= 0) throw flawAt(t, agents[seat]!, "has no state", "hold");
  if (hold === "none" && states.every((state) => state === undefined)) {
    throw new SourceFlaw(`round ${t}: no agent has a state`, "hold");
  }
}

/** The last opening and the first turn after it. */
function firstCalls(observations: readonly Observation[], vectorOf: Shape["vectorOf"]) {
  const call = ({ agent, reading, words }: Observation): FirstCall => (
    { agent, ...known({ state: reading.flaw ? undefined : vectorOf(reading), words }) }
  );
  const opening = observations.findLast(({ turn }) => turn < 0), first = observations.find(({ turn }) => turn === 0);
  return known({ opening: opening && call(opening), first: first && call(first) });
}
