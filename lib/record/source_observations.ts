import { createHash } from "node:crypto";
import { UserError } from "../core/user_error.ts";
import type { RunSource } from "./run_source.ts";
import type { Reading, StateReader } from "./source_states.ts";
import { placeOf, type SourceUnit, valueAt } from "./source_units.ts";

/** One agent's state as one entry of a run's records gives it. */
export interface Observation {
  readonly agent: string;
  readonly reading: Reading;
  /** The place of its entry in order, 0-based; negative in an opening. */
  readonly turn: number;
  /** A digest of the words of an opening and of the first turn, so that equal first calls are found without the words. */
  readonly words?: string | undefined;
  /** The round as the records number it, 1 being the first; absent where rounds are counted. */
  readonly round?: number;
  readonly line?: number;
}

/** An agent's state before it is read. */
interface Found extends Omit<Observation, "agent" | "reading"> {
  readonly agent: unknown;
  readonly said: unknown;
}

/**
 * The observations of a unit, in the order of its records.
 *
 * @throws {UserError} naming file, line, run, entry and the choice of the mapping that leads nowhere.
 */
export function observationsOf(unit: SourceUnit, source: RunSource, states: StateReader): Observation[] {
  const { rename, leaveOut } = source.agents, leftOut = new Set(leaveOut), renamed = new Map(Object.entries(rename));
  const observations: Observation[] = [];
  let dropped = 0;
  for (const { agent: written, said, ...place } of found(unit, source)) {
    const name = nameOf(written);
    if (name === undefined) {
      throw complaint(
        unit,
        `entry ${place.turn + 1} has no agent's name (${JSON.stringify(written)})`,
        "observations.agent",
        place.line,
      );
    }
    if (leftOut.has(name)) {
      // The turn of an agent that is left out is no turn: a moderator between two speakers makes no round.
      if (source.observations.layout === "turns" && place.turn >= 0) dropped += 1;
      continue;
    }
    observations.push({
      ...place,
      turn: place.turn - dropped,
      agent: renamed.get(name) ?? name,
      reading: states.read(said),
      ...(source.observations.layout === "turns" && place.turn <= dropped && { words: wordsOf(said, source) }),
    });
  }
  return observations;
}

function wordsOf(said: unknown, { state }: RunSource): string | undefined {
  const text = valueAt(said, state.at);
  return typeof text === "string" ? createHash("sha256").update(text).digest("hex") : undefined;
}

const nameOf = (agent: unknown): string | undefined =>
  typeof agent === "number" || (typeof agent === "string" && agent.trim() !== "") ? String(agent).trim() : undefined;

/** The error about one run, with the choice of the mapping that may be changed. */
export const complaint = (unit: SourceUnit, words: string, choice: string, line = unit.line): UserError =>
  new UserError(`${placeOf({ ...unit, ...(line !== undefined && { line }) })}, ${words}; choice: ${choice}`);

function* found(unit: SourceUnit, source: RunSource): Generator<Found> {
  const { observations: layout, round } = source;
  const listAt = (value: unknown, path: string | readonly string[], choice: string): readonly unknown[] => {
    const list = valueAt(value, path);
    if (Array.isArray(list)) return list;
    const keys = typeof value === "object" && value !== null
      ? `; its fields are ${Object.keys(value).slice(0, 12)}`
      : "";
    throw complaint(unit, `has no list at ${JSON.stringify(path)}${keys}`, `observations.${choice}`);
  };
  const numbered = (entry: unknown, at: number, line?: number): { round?: number; line?: number } => ({
    ...(round.by === "path" && { round: roundOf(unit, valueAt(entry, round.at), round.first, at, line) }),
    ...(line !== undefined && { line }),
  });
  switch (layout.layout) {
    case "turns":
    case "pairs": {
      const entries = listAt(unit.json, layout.list, "list").slice(layout.skip);
      for (const [i, entry] of entries.entries()) {
        const turn = i - layout.opening, place = { turn, ...(turn < 0 ? {} : numbered(entry, i + layout.skip)) };
        if (layout.layout === "turns") yield { ...place, agent: valueAt(entry, layout.agent), said: entry };
        else {for (const { agent, said } of layout.speakers) {
            yield { ...place, agent: valueAt(entry, agent), said: valueAt(entry, said) };
          }}
      }
      return;
    }
    case "rows":
      for (const [turn, row] of listAt(unit.json, layout.list, "list").entries()) {
        yield { turn, ...numbered(row, turn, unit.lines?.[turn]), agent: valueAt(row, layout.agent), said: row };
      }
      return;
    case "by-round":
      for (const [turn, entry] of listAt(unit.json, layout.list, "list").slice(layout.skip).entries()) {
        const place = { turn, ...numbered(entry, turn + layout.skip) };
        for (const [agent, said] of agentsIn(valueAt(entry, layout.states), layout.agent)) {
          yield { ...place, agent, said };
        }
      }
      return;
    case "by-agent":
      for (const [agent, entry] of agentsIn(valueAt(unit.json, layout.list), layout.agent)) {
        for (const [turn, said] of listAt(entry, layout.states, "states").entries()) {
          yield { turn, ...numbered(said, turn), agent, said };
        }
      }
  }
}

/** States by agent, or a list of them with the agent's name in each; without names, agents are numbered from 1. */
function agentsIn(states: unknown, agent: string | readonly string[] | undefined): [unknown, unknown][] {
  if (Array.isArray(states)) {
    return states.map((state, i) => [agent === undefined ? i + 1 : valueAt(state, agent), state]);
  }
  return typeof states === "object" && states !== null ? Object.entries(states) : [];
}

/** No records have more rounds; a larger number is a mistake, and would fill the memory. */
const MOST_ROUNDS = 100_000;

function roundOf(unit: SourceUnit, written: unknown, first: number, entry: number, line: number | undefined): number {
  const number = typeof written === "string" && written.trim() !== "" ? Number(written) : written;
  if (typeof number === "number" && Number.isInteger(number) && number >= first && number - first < MOST_ROUNDS) {
    return number - first + 1;
  }
  const words = `entry ${entry + 1} has the round ${
    JSON.stringify(written) ?? "missing"
  }: must be a whole number from ${first}`;
  throw complaint(unit, words, typeof number === "number" && number < first ? "round.first" : "round.at", line);
}
