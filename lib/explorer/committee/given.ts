import * as z from "zod";
import { inertText } from "../../core/text.ts";
import { UserError } from "../../core/user_error.ts";
import { applyEvent, committeeMeans, initialState } from "../../deliberation/state.ts";
import { LedgerLine } from "../../schema/ledger_line.ts";
import { divergence } from "../../stats/divergence.ts";
import type { Trajectory } from "../../stats/trajectory.ts";
import { checked } from "../fragment.ts";

/** Runs of one condition that the reader gave. */
export interface GivenRuns {
  readonly name: string;
  /** Shape [R][T][K], R ≥ 2. */
  readonly means: readonly Trajectory[];
  /** Runs that the file holds and that are not complete. */
  readonly leftOut: number;
}

/**
 * Reads a ledger of this library, or runs one a line with their `trajectory` (committee means, [T][K]) or their `rounds`.
 * A ledger's checksums are not checked here; `measure` does.
 *
 * @param file its name, for runs that do not say of which condition they are.
 * @throws {UserError} naming the line and the rule; on fewer than two complete runs, and on runs that cannot be compared.
 */
export function readRuns(text: string, file: string): GivenRuns {
  const lines = text.replace(/^\ufeff/, "").split("\n");
  const values = lines.flatMap((line, i) =>
    line.trim() === "" ? [] : [{ value: parsed(line, i, lines.length), place: i + 1 }]
  )
    .filter(({ value }) => value !== undefined);
  if (values.length === 0) throw new UserError(`it holds no runs; ${TAKEN}`);
  const found = isLedger(values[0]!.value) ? fromLedger(values) : fromPlain(values, file);
  if (found.means.length < 2) {
    throw new UserError(`it holds ${found.means.length} complete runs; a distance needs two`);
  }
  try {
    divergence(found.means);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UserError(`its runs cannot be compared: ${error.message}`);
  }
  return found;
}

const TAKEN = "the page takes ledgers (.jsonl), and runs one a line with their trajectory or rounds";

/** A last line that is cut off is what a kill leaves behind: its run is not complete then. */
function parsed(line: string, i: number, count: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (i > 0 && i === count - 1) return undefined;
    throw new UserError(`line ${i + 1} is no JSON (${(error as Error).message}); ${TAKEN}`);
  }
}

interface Line {
  readonly value: unknown;
  readonly place: number;
}

const isLedger = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "kind" in value && "schema" in value;

function at<T>(place: number, schema: z.ZodType<T>, value: unknown): T {
  try {
    return checked(schema, value);
  } catch (error) {
    throw new UserError(`line ${place}: ${(error as Error).message}`);
  }
}

function fromLedger(lines: readonly Line[]): GivenRuns {
  const entries = lines.map(({ value, place }) => ({ ...at(place, LedgerLine, value), place }));
  const declared = entries.findLast((entry) => entry.kind === "declared");
  if (declared === undefined) {
    throw new UserError("its condition is not declared: the first line of the ledger is missing");
  }
  const events = entries.filter((entry) => entry.kind === "event");
  const stray = events.find(({ hash }) => hash !== declared.hash);
  if (stray) throw new UserError(`line ${stray.place}: it is of another condition`);
  const attempts = Map.groupBy(events, ({ replicate, attempt }) => `${replicate} ${attempt}`);
  const complete = new Map<number, Trajectory>();
  for (const [first, ...rest] of attempts.values()) {
    const state = [first!, ...rest].reduce(
      (state, { event }) => applyEvent(state, event),
      initialState(declared.condition),
    );
    if (state.closed?.outcome === "complete") complete.set(first!.replicate, committeeMeans(state));
  }
  const replicates = new Set(events.map(({ replicate }) => replicate));
  return { name: inertText(declared.name), means: [...complete.values()], leftOut: replicates.size - complete.size };
}

const Shares = z.array(z.number().min(0).max(1)).min(2);
const AgentState = z.union([Shares, z.object({ pref: Shares }).transform(({ pref }) => pref)]);
const Round = z.union([
  z.array(AgentState).min(1),
  z.object({ states: z.union([z.array(AgentState).min(1), z.record(z.string(), AgentState).transform(Object.values)]) })
    .transform(({ states }) => states as number[][]),
]);
const PlainRun = z.union([
  z.object({ trajectory: z.array(Shares).min(1) }),
  z.object({ rounds: z.array(Round).min(1) }),
], { error: "has neither a trajectory [round][option] nor rounds with every agent's preferences" });

function fromPlain(lines: readonly Line[], file: string): GivenRuns {
  const means = lines.map(({ value, place }): Trajectory => {
    const run = at(place, PlainRun, value);
    if ("trajectory" in run) return run.trajectory;
    return run.rounds.map((agents) =>
      agents[0]!.map((_, k) => agents.reduce((sum, shares) => sum + (shares[k] ?? NaN), 0) / agents.length)
    );
  });
  return { name: file.replace(/\.jsonl$/, ""), means, leftOut: 0 };
}
