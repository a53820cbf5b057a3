import { UserError } from "../core/user_error.ts";
import type { RunSource } from "./run_source.ts";
import { complaint, type Observation } from "./source_observations.ts";
import type { Reading, StateReader } from "./source_states.ts";
import { placeOf, type SourceUnit } from "./source_units.ts";

/** A call that can be compared between runs without its words. */
export interface FirstCall {
  readonly agent: string;
  /** Absent where the call gives no state. */
  readonly state?: readonly number[];
  /** SHA-256 of the text, where the state is read from one. */
  readonly words?: string;
}

/** One run of anybody's records. T rounds, N agents, K options; round 1 is at index 0. */
export interface ImportedRun {
  readonly id: string;
  readonly file: string;
  readonly line?: number;
  /** [T][N][K]; undefined where an agent has not spoken yet. Equal states may be one array: do not write to them. */
  readonly states: readonly (readonly (readonly number[] | undefined)[])[];
  /** [T][K]: means over the agents that have a state; zeros in a round in which nobody has one yet. */
  readonly means: readonly (readonly number[])[];
  /** [T][K]: how often each option was said in the round alone (a carried run repeats its last round); empty for shares and numbers. */
  readonly said: readonly (readonly number[])[];
  /** Rounds that the run itself has, also beyond T. */
  readonly ended: number;
  /** Observations up to round T, openings with them, that give no state. */
  readonly unread: number;
  /** Numbers out of range that were kept as written. */
  readonly flagged: number;
  readonly decision?: string;
  /** The last opening, which counts for its speaker but is no round. */
  readonly opening?: FirstCall;
  /** In a record of turns, the first that is a round. */
  readonly first?: FirstCall;
}

/** A run that was left out as the mapping says. */
export interface ExcludedRun {
  readonly id: string;
  readonly file: string;
  readonly cause: string;
}

/** A unit with what was observed in it. */
export interface ObservedUnit {
  readonly unit: SourceUnit;
  readonly observations: readonly Observation[];
  readonly decision?: string;
}

/** The runs of a mapping, all with the same agents, options and rounds. */
export interface AssembledRuns {
  readonly options: readonly string[];
  readonly agents: readonly string[];
  readonly runs: readonly ImportedRun[];
  readonly excluded: readonly ExcludedRun[];
  readonly carried: number;
}

/** An observed unit with the round of each observation: 0 is the opening. */
interface RoundedUnit extends ObservedUnit {
  readonly rounds: readonly number[];
  readonly ended: number;
}

/**
 * Runs of equal shape from what was observed.
 *
 * @throws {UserError} naming file, run, round, agent and the choice of the mapping that would let the run pass.
 */
export function assembleRuns(units: readonly ObservedUnit[], source: RunSource, states: StateReader): AssembledRuns {
  const excluded: ExcludedRun[] = [];
  const exclude = ({ unit: { id, file } }: ObservedUnit, cause: string) => void excluded.push({ id, file, cause });
  const agents = usualAgents(units, source);
  const alike = units.filter((one) => hasAgents(one, agents, source, exclude));
  const rounded = alike.map((one) => inRounds(one, agents.length, source));
  const { T, kept } = sameLength(rounded, source, exclude);
  const vectorOf = vectors(source, states);
  return {
    options: orderedOptions(states),
    agents,
    runs: kept.map((one) => assembled(one, { T, agents, source, vectorOf, K: states.options.length })),
    excluded,
    carried: kept.filter(({ ended }) => ended < T).length,
  };
}

const { compare } = new Intl.Collator("en", { numeric: true });

/** The agents of a run in a fixed order: those of the mapping, those that most runs have, or all that occur. */
function usualAgents(units: readonly ObservedUnit[], { agents: { names, different } }: RunSource): readonly string[] {
  if (names !== undefined) return names;
  if (different === "allow") return [...new Set(units.flatMap(agentsOf))].sort(compare);
  const sets = Map.groupBy(units.map((one) => agentsOf(one)), (agents) => JSON.stringify(agents));
  return [...sets.values()].reduce((most, set) => (set.length > most.length ? set : most))[0]!;
}

const agentsOf = ({ observations }: ObservedUnit): string[] =>
  [...new Set(observations.map(({ agent }) => agent))].sort(compare);

function hasAgents(
  one: ObservedUnit,
  usual: readonly string[],
  { agents: { names, different } }: RunSource,
  exclude: (one: ObservedUnit, cause: string) => void,
): boolean {
  const own = agentsOf(one), more = own.filter((agent) => !usual.includes(agent));
  const fewer = usual.filter((agent) => !own.includes(agent));
  if (more.length === 0 && (fewer.length === 0 || different === "allow")) return true;
  const whose = names === undefined ? "most runs have" : "the mapping names";
  const words = [
    ...(fewer.length > 0 ? [`without ${fewer.join(", ")}, whom ${whose}`] : []),
    ...(more.length > 0
      ? [`with ${more.join(", ")}, of whom ${names === undefined ? "most runs know" : "the mapping knows"} nothing`]
      : []),
  ].join("; ");
  if (different !== "exclude") {
    throw complaint(
      one.unit,
      `is ${words}`,
      more.length > 0 && different === "allow" ? "agents.names" : "agents.different",
    );
  }
  exclude(one, words);
  return false;
}

function inRounds(one: ObservedUnit, agents: number, { round, observations: layout }: RunSource): RoundedUnit {
  const speakers = layout.layout === "pairs" ? layout.speakers.length : 1;
  const every = round.by !== "count" ? 1 : round.every === "agents" ? agents / speakers : round.every;
  if (!Number.isInteger(every)) {
    throw complaint(one.unit, `has ${agents} agents, no multiple of the ${speakers} of an interaction`, "round.every");
  }
  const rounds = one.observations.map(({ turn, round }) => turn < 0 ? 0 : round ?? Math.floor(turn / every) + 1);
  const ended = rounds.reduce((last, round) => Math.max(last, round), 0);
  if (ended === 0) throw complaint(one.unit, "has no round", "observations");
  return { ...one, rounds, ended };
}

/** The runs that have T rounds, or are made to have as the mapping says. */
function sameLength(
  units: readonly RoundedUnit[],
  { ended, rounds }: RunSource,
  exclude: (one: ObservedUnit, cause: string) => void,
): { T: number; kept: readonly RoundedUnit[] } {
  const T = rounds ?? units.reduce((longest, unit) => Math.max(longest, unit.ended), 0);
  const short = units.filter((unit) => unit.ended < T);
  if (ended === "cut") return { T: short.reduce((shortest, unit) => Math.min(shortest, unit.ended), T), kept: units };
  if (ended === "refuse" && short.length > 0) {
    throw complaint(
      short[0]!.unit,
      `ends at round ${short[0]!.ended} of ${T}, as do ${short.length} of ${units.length} runs`,
      "ended",
    );
  }
  if (ended !== "exclude") return { T, kept: units };
  for (const unit of short) exclude(unit, `ends at round ${unit.ended} of ${T}`);
  return { T, kept: units.filter((unit) => unit.ended >= T) };
}

function orderedOptions(states: StateReader): string[] {
  const options: string[] = [];
  states.order().forEach((place, k) => options[place] = states.options[k]!);
  return options;
}

/** The vector of a reading, in the options' final order; equal choices share one array. */
function vectors({ state }: RunSource, states: StateReader): (reading: Reading) => readonly number[] {
  const places = states.order(), made = new Map<string, readonly number[]>();
  const share = state.kind === "issues" ? 1 / state.issues.length : 1;
  return ({ chosen, vector }) => {
    if (chosen === undefined) return vector!;
    const key = chosen.join();
    if (!made.has(key)) {
      const one = places.map(() => 0);
      for (const k of chosen) one[places[k]!] = share;
      made.set(key, one);
    }
    return made.get(key)!;
  };
}

interface Shape {
  readonly T: number;
  readonly K: number;
  readonly agents: readonly string[];
  readonly source: RunSource;
  readonly vectorOf: (reading: Reading) => readonly number[];
}

function assembled(
  { unit, observations, decision, rounds, ended }: RoundedUnit,
  { T, K, agents, source, vectorOf }: Shape,
): ImportedRun {
  const seatOf = new Map(agents.map((agent, seat) => [agent, seat]));
  const byRound = Array.from({ length: T + 1 }, (): Observation[] => []);
  observations.forEach((observation, i) => byRound[rounds[i]!]?.push(observation));
  const counted = source.state.kind === "vote" || source.state.kind === "issues";
  const states: (readonly number[] | undefined)[][] = [], said: number[][] = [];
  let held: (readonly number[] | undefined)[] = agents.map(() => undefined);
  let unread = 0, flagged = 0;
  for (const [t, spoken] of byRound.entries()) {
    const now: typeof held = source.hold === "last" ? [...held] : agents.map(() => undefined);
    const words = Array.from({ length: K }, () => 0), seen = new Set<number>();
    for (const observation of spoken) {
      const seat = seatOf.get(observation.agent)!;
      if (seen.has(seat) && observation.round !== undefined && source.repeated === "refuse") {
        throw flawOf(unit, t, observation, "has a second state in this round", "repeated");
      }
      seen.add(seat);
      const reading = accepted(observation, source, unit, t);
      if (reading === undefined) {
        unread += 1;
        continue;
      }
      if (reading.flaw !== undefined) flagged += 1;
      const state = now[seat] = vectorOf(reading);
      state.forEach((share, k) => words[k]! += share > 0 ? 1 : 0);
    }
    held = t > ended && source.ended === "carry" ? held : now;
    if (t === 0) continue;
    if (t <= ended && source.hold === "refuse") refuseGap(unit, held, agents, t);
    states.push(held);
    if (counted) said.push(t > ended && t > 1 ? said[t - 2]! : words);
  }
  if (source.hold === "none") refuseSilence(unit, states);
  return {
    ...{ id: unit.id, file: unit.file },
    ...(unit.line !== undefined && { line: unit.line }),
    states,
    means: states.map((round) => meanOf(round, K)),
    ...{ said, ended, unread, flagged },
    ...(decision !== undefined && { decision }),
    ...firstCalls(observations, vectorOf),
  };
}

/** A reading that gives a state, or undefined where the mapping says that it then counts as unread. */
function accepted(
  observation: Observation,
  { outside }: RunSource,
  unit: SourceUnit,
  round: number,
): Reading | undefined {
  const { flaw, vector, choice = "state" } = observation.reading;
  if (flaw === undefined) return observation.reading;
  if (outside === "refuse") throw flawOf(unit, round, observation, flaw, `${choice} or outside`);
  return outside === "flag" && vector !== undefined ? observation.reading : undefined;
}

const flawOf = (
  unit: SourceUnit,
  round: number,
  { agent, line }: Observation,
  words: string,
  choice: string,
): UserError =>
  complaint(unit, `${round === 0 ? "opening" : `round ${round}`}, agent ${agent}: ${words}`, choice, line);

function refuseGap(unit: SourceUnit, states: readonly unknown[], agents: readonly string[], round: number): void {
  const seat = states.indexOf(undefined);
  if (seat >= 0) throw complaint(unit, `round ${round}, agent ${agents[seat]}: there is no state`, "hold");
}

function refuseSilence(unit: SourceUnit, states: readonly (readonly unknown[])[]): void {
  const t = states.findIndex((round) => round.every((state) => state === undefined));
  if (t >= 0) throw complaint(unit, `round ${t + 1}: no agent has a state`, "hold");
}

/** The mean over the agents that have a state. */
function meanOf(states: readonly (readonly number[] | undefined)[], K: number): number[] {
  const sum = Array.from({ length: K }, () => 0);
  let speakers = 0;
  for (const state of states) {
    if (state === undefined) continue;
    speakers += 1;
    for (let k = 0; k < K; k++) sum[k]! += state[k]!;
  }
  return sum.map((total) => total / Math.max(1, speakers));
}

function firstCalls(
  observations: readonly Observation[],
  vectorOf: Shape["vectorOf"],
): Pick<ImportedRun, "opening" | "first"> {
  const call = (observation: Observation | undefined): FirstCall | undefined =>
    observation && {
      agent: observation.agent,
      ...(observation.reading.flaw === undefined && { state: vectorOf(observation.reading) }),
      ...(observation.words !== undefined && { words: observation.words }),
    };
  const opening = call(observations.findLast(({ turn }) => turn < 0));
  const first = call(observations.find(({ turn, words }) => turn === 0 && words !== undefined));
  return { ...(opening && { opening }), ...(first && { first }) };
}

/** The runs' files and names in words, for a list of what was left out. */
export const excludedInWords = ({ id, file, cause }: ExcludedRun): string => `${placeOf({ id, file })}: ${cause}`;
