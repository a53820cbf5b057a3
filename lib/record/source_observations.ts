import { createHash } from "node:crypto";
import { rememberedText } from "../core/options.ts";
import type { RunSource } from "./run_source.ts";
import type { Reading } from "./source_states.ts";
import { listAt, nothingAt, type Paths, SourceFlaw, valueAt } from "./source_values.ts";

/** One agent's state as one entry of a run's records gives it. */
export interface Observation {
  readonly agent: string;
  readonly reading: Reading;
  /** The place of its entry in order, from 0; negative in an opening. */
  readonly turn: number;
  /** The round as the records number it, 1 being the first; undefined where rounds are counted. */
  readonly round: number | undefined;
  /** In an opening and the first turn: a digest of the words, by which equal calls are found without the words. */
  readonly words: string | undefined;
  /** What was said, where the mapping says where it stands. */
  readonly text?: string;
  readonly line: number | undefined;
}

/** Takes observations from a unit, and from a single row where rows are the layout; throws a `SourceFlaw`. */
export interface Observer {
  readonly run: (value: unknown) => Observation[];
  readonly row?: (row: unknown, line: number | undefined) => Observation[];
}

/**
 * The observer of a mapping; its observations are in the order of the records.
 *
 * @param read makes a state of what an agent said.
 */
export function observer(source: RunSource, read: (said: unknown) => Reading): Observer {
  const { observations: layout, round, state, text: words } = source;
  const left = new Set(source.agents.leaveOut), renamed = new Map(Object.entries(source.agents.rename));
  /** One text for each agent, however many rows name it; null where it is left out. */
  const nameOf = rememberedText((written) => {
    const name = written.trim();
    return left.has(name) ? null : renamed.get(name) ?? name;
  });
  const readingOf = (said: unknown, agent: string, line: number | undefined): Reading => {
    try {
      return read(said);
    } catch (error) {
      throw error instanceof SourceFlaw ? error.of(`agent ${agent}`, line) : error;
    }
  };
  /** One observation; none of an agent that is left out. */
  const observe = (turn: number, agent: unknown, said: unknown, entry = said, line?: number): Observation[] => {
    const name = typeof agent === "string" || typeof agent === "number" ? nameOf(String(agent)) : "";
    if (name === "") throw new SourceFlaw(`entry ${turn + 1}: there is no agent's name`, "observations", line);
    if (name === null) return [];
    const text = words === undefined ? undefined : valueAt(said, words);
    return [{
      agent: name,
      reading: readingOf(said, name, line),
      turn,
      round: round.by === "path" && turn >= 0 ? roundOf(entry, round, line) : undefined,
      words: layout.layout === "turns" && turn <= 0 ? digestOf(valueAt(said, state.at)) : undefined,
      ...(typeof text === "string" && { text }),
      line,
    }];
  };
  const agentAt = (entry: unknown, path: Paths): unknown => {
    const agent = valueAt(entry, path);
    if (agent === undefined) throw new SourceFlaw(nothingAt(entry, path, "no agent"), "observations.agent");
    return agent;
  };
  const list = (value: unknown, path: Paths = layout.list) => listAt(value, path, "observations");
  switch (layout.layout) {
    case "turns": {
      // Agents that are left out have no turns: a moderator between two speakers makes no round.
      const turns = (value: unknown) =>
        list(value).slice(layout.skip).map((entry) => ({ agent: agentAt(entry, layout.agent), entry }))
          .filter(({ agent }) => nameOf(String(agent)) !== null);
      return {
        run: (value) => turns(value).flatMap(({ agent, entry }, i) => observe(i - layout.opening, agent, entry)),
      };
    }
    case "pairs": {
      const both = (entry: unknown, i: number) =>
        layout.speakers.flatMap(({ agent, said }) =>
          observe(i - layout.opening, agentAt(entry, agent), valueAt(entry, said), entry)
        );
      return { run: (value) => list(value).slice(layout.skip).flatMap(both) };
    }
    case "rows": {
      const row = (row: unknown, line?: number) => observe(0, agentAt(row, layout.agent), row, row, line);
      return { run: (value) => list(value).flatMap((entry) => row(entry)), ...(layout.list === "" && { row }) };
    }
    case "by-round": {
      const states = (entry: unknown, i: number) =>
        namedIn(entry, layout.states, layout.agent, `entry ${i + layout.skip + 1}: `)
          .flatMap(([agent, said]) => observe(i, agent, said, entry));
      return { run: (value) => list(value).slice(layout.skip).flatMap(states) };
    }
    case "by-agent": {
      const states = ([agent, states]: [unknown, unknown]) =>
        list(states, layout.states).flatMap((said, i) => observe(i, agent, said));
      return { run: (value) => namedIn(value, layout.list, layout.agent).flatMap(states) };
    }
  }
}

/** Values under agents' names, or in a list with a name in each; without names, agents are numbered from 1. */
function namedIn(entry: unknown, path: Paths, agent: Paths | undefined, where = ""): [unknown, unknown][] {
  const states = valueAt(entry, path);
  if (typeof states !== "object" || states === null) {
    throw new SourceFlaw(where + nothingAt(entry, path, "no list, nor object by agent,"), "observations");
  }
  if (!Array.isArray(states)) return Object.entries(states);
  return states.map((state, i) => [agent === undefined ? i + 1 : valueAt(state, agent), state]);
}

const digestOf = (text: unknown): string | undefined =>
  typeof text === "string" ? createHash("sha256").update(text).digest("hex") : undefined;

/** A larger number of rounds is a mistake, and would fill the memory. */
const MOST_ROUNDS = 100_000;

function roundOf(entry: unknown, { at, first }: ByPath, line: number | undefined): number {
  const written = valueAt(entry, at);
  if (written === undefined) throw new SourceFlaw(nothingAt(entry, at, "no round"), "round.at", line);
  const number = typeof written === "string" && written.trim() !== "" ? Number(written) : written;
  if (typeof number === "number" && Number.isInteger(number) && number >= first && number - first < MOST_ROUNDS) {
    return number - first + 1;
  }
  const words = `the round is ${JSON.stringify(written).slice(0, 60)}: must be a whole number from ${first}`;
  throw new SourceFlaw(words, "round", line);
}

type ByPath = Extract<RunSource["round"], { by: "path" }>;
