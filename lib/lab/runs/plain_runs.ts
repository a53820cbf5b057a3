import { csvText } from "../../core/text.ts";
import { textLines } from "../../record/lines.ts";
import type { RunSourceChoices } from "../../record/run_source.ts";
import { parsed } from "./formats/common.ts";

/** Runs of one condition without their records: what `importRuns` gives. */
export interface PlainRuns {
  readonly name: string;
  /** Names of the options, K. */
  readonly options: readonly string[];
  /** Names of the agents, N. */
  readonly agents: readonly string[];
  readonly runs: readonly PlainRun[];
  readonly synthetic?: boolean;
  /** Looks that a stopping design took: p and intervals of these runs do not allow for them. */
  readonly looks?: number;
}

interface PlainRun {
  readonly id: string;
  /** [T][N][K]; undefined where an agent has not spoken yet. */
  readonly states: readonly (readonly (readonly number[] | undefined)[])[];
  readonly means: readonly (readonly number[])[];
  readonly decision?: string | undefined;
}

/** Marks a line of a plain run. */
const SCHEMA = "plain-run/1";

/**
 * Runs as JSON lines that `measure`, `importRuns(file, await plainSource(file))` and the explorer of committees read: one run a line,
 * with every agent's shares by round and the means over them.
 */
export function plainLines({ name, options, agents, runs, synthetic, looks }: PlainRuns): string[] {
  const loses = runs.some(({ states }) =>
    states.some((round, t) => round.some((state, i) => !state && states[t - 1]?.[i]))
  );
  return runs.map(({ id, states, means, decision }) =>
    JSON.stringify({
      ...{ schema: SCHEMA, run: id, condition: name, options, agents, hold: loses ? "none" : "last", synthetic, looks },
      trajectory: means,
      rounds: states.map((round, t) => ({
        round: t + 1,
        states: Object.fromEntries(agents.flatMap((agent, i) => round[i] ? [[agent, { pref: round[i] }]] : [])),
      })),
      ...(decision !== undefined && { decision }),
    })
  );
}

/**
 * The mapping of a file of plain runs by its first line, of which alone it is made; undefined where that is no plain run.
 *
 * @throws {UserError} naming the file where it cannot be read, or its first line was torn off.
 */
export async function plainSource(file: string): Promise<RunSourceChoices | undefined> {
  for await (const { text } of textLines(file)) {
    return text.startsWith(`{"schema":"${SCHEMA}"`)
      ? sourceOf(parsed(`${file}: line 1`, text) as PlainLine)
      : undefined;
  }
  return undefined;
}

/** The part of a plain run that is the same in all lines of a file. */
interface PlainLine {
  readonly condition: string;
  readonly options: string[];
  readonly agents: string[];
  readonly hold: "none" | "last";
  readonly synthetic?: boolean;
  readonly looks?: number;
}

function sourceOf({ condition, options, agents, hold, synthetic, looks }: PlainLine): RunSourceChoices {
  return {
    schema: "run-source/2",
    name: condition,
    about: { ...(typeof synthetic === "boolean" && { synthetic }), ...(looks !== undefined && { looks }) },
    unit: "line",
    run: "run",
    decision: "decision",
    observations: { layout: "by-round", list: "rounds", states: "states" },
    agents: { names: agents, different: "allow" },
    state: { kind: "shares", at: "pref", options },
    hold,
  };
}

/** Runs as a long table: run, round, agent, and the share of every option. */
export function tableOf({ options, agents, runs }: PlainRuns): string {
  const rows = runs.flatMap((run) =>
    statesOf(run, agents).map(({ agent, round, state }) => [run.id, round, agent, ...state])
  );
  return csvText([["run", "round", "agent", ...options], ...rows]);
}

/** Runs as JSON lines, one run a line: a list of messages with agent, round, shares, and the same in words. */
export function messageLines({ options, agents, runs, looks }: PlainRuns): string[] {
  return runs.map((run) => {
    const messages = statesOf(run, agents).map(({ agent, round, state }) => {
      const content = options.map((option, k) => `${option}: ${state[k]}`).join(", ");
      return { source: agent, round, content, state };
    });
    return JSON.stringify({ run: run.id, looks, messages });
  });
}

/** The states of a run, round by round. */
const statesOf = ({ states }: PlainRun, agents: readonly string[]) =>
  states.flatMap((round, t) =>
    round.flatMap((state, i) => state === undefined ? [] : [{ agent: agents[i]!, round: t + 1, state }])
  );

/** The name of a file after a condition, which may be any text. */
export const fileNameOf = (name: string): string =>
  name.replace(/[^\p{L}\p{N} .,=+_-]/gu, "-").replace(/^[. ]+/, "").slice(0, 120) || "runs";
