import { Buffer } from "node:buffer";
import process from "node:process";
import { z } from "zod";
import { UserError } from "../../core/user_error.ts";
import { decoded, LARGEST, reading } from "../../record/files.ts";
import { beginsAsLedger } from "../../record/ledger_rules.ts";
import { readLedger } from "../../deliberation/ledger.ts";
import { rereadLedger } from "../../deliberation/reread.ts";
import type { LabelledRuns } from "../runs/rows.ts";
import { conditionRuns } from "../live/run_experiment.ts";
import type { RunAccounting } from "../../record/accounting.ts";
import type { AgentStates } from "../../stats/independent_divergence.ts";
import { badArguments, count, say } from "./command.ts";
import { tableSources } from "./measure_records.ts";
import type { StatedRuns } from "../../record/runs_of.ts";
import type { TableRun } from "./tables.ts";

/** Runs to measure, from a ledger or from anybody's records. */
export interface Source extends Omit<LabelledRuns<MeasuredRun>, "label"> {
  readonly name: string;
  /** What `--json` prints of it besides its measurement. */
  readonly facts: Facts;
}

/** Runs whose agents' states are known. */
export interface StatedSource extends Source {
  readonly runs: readonly (MeasuredRun & { readonly preferences: AgentStates })[];
}

interface MeasuredRun extends TableRun {
  /** The run's own name, where the record gives it one. */
  readonly run?: string;
  readonly decision?: string | undefined;
}

interface Facts {
  /** The file they were read from; absent for standard input. */
  readonly file?: string;
  /** Runs of a record that are left out. */
  readonly excluded?: StatedRuns["excluded"];
  readonly accounting?: RunAccounting;
  readonly synthetic?: boolean | undefined;
  /** In a ledger of continuations, the last round that all runs share. */
  readonly continuedFrom?: number | undefined;
  /** Looks that a stopping design has taken: p and interval do not allow for them. */
  readonly looks?: number | undefined;
  /** The parser that read the recorded replies again. */
  readonly reread?: Parser | undefined;
}

export const PARSERS = ["strict", "normalised"] as const;
export type Parser = typeof PARSERS[number];

/** Reports a path that holds no readable runs: missing, a folder, or empty. */
export async function checkFile(path: string): Promise<void> {
  const { isDirectory, size } = await reading(path, () => Deno.stat(path));
  if (isDirectory) throw new UserError(`${path} is a folder; name files: ${path.replace(/\/+$/, "")}/*.jsonl`);
  if (size === 0) throw new UserError(`${path} is empty`);
}

/** A ledger, or the conditions of a plain table. */
export async function fromFile(path: string, { reread }: { readonly reread: Parser | undefined }): Promise<Source[]> {
  await checkFile(path);
  if (await beginsAsLedger(path)) return [await fromLedger(path, reread)];
  if (reread) throw badArguments(`--reread needs the replies, which ${path} does not hold: it is no ledger`);
  return tableSources(path);
}

/** Says of runs that stopped by a design what their p and interval leave out. */
export const looksNote = (looks: number): string =>
  `stopped by a design after ${count(looks, "look")}, which p and interval here do not allow for (its ledger says)`;

export async function fromLedger(path: string, reread?: Parser): Promise<StatedSource> {
  const ledger = await readLedger(path);
  if (ledger.torn) say(`measure: ${path}: line ${ledger.torn.line} was torn off and is left out`);
  for (const { line, why } of ledger.damaged) say(`measure: ${path}: line ${line} ${why}; its run is left out`);
  const read = conditionRuns(reread ? rereadLedger(ledger, { normaliser: reread === "normalised" }) : ledger);
  const { accounting, synthetic } = read;
  const shared = ledger.declaration.base?.map((event) => event.kind === "turn.answered" ? event.round : 0);
  return {
    ...read,
    facts: {
      ...{ file: path, accounting, synthetic, reread },
      ...{ continuedFrom: shared && Math.max(...shared), looks: ledger.looks.length || undefined },
    },
  };
}

const ARRAY = "a JSON array [replicate][round][option]";
const Trajectories = z.array(z.array(z.array(z.number())));

/** One JSON array [replicate][round][option]. */
export async function fromStandardInput(): Promise<Source> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of process.stdin as AsyncIterable<Uint8Array>) {
    pieces.push(bytes);
    if ((size += bytes.length) > LARGEST.log) throw new UserError("standard input is larger than 512 MiB; name a file");
  }
  const input = decoded(Buffer.concat(pieces), "standard input");
  if (input.trim() === "") throw new UserError(`standard input is empty: it must hold ${ARRAY}`);
  let json: unknown;
  try {
    json = JSON.parse(input);
  } catch (error) {
    throw new UserError(
      `standard input is not JSON: ${(error as Error).message}. NaN and Infinity are not JSON either`,
    );
  }
  const { data, error } = Trajectories.safeParse(json);
  if (error) throw misplaced(json, error.issues[0]!.path);
  if (data.length === 0) throw new UserError("standard input holds no run: []");
  const runs = data.map((means, replicate) => ({ replicate, means }));
  return { name: "standard input", condition: { seats: [] }, knobs: {}, runs, facts: {} };
}

function misplaced(json: unknown, path: readonly PropertyKey[]): UserError {
  const value = path.reduce((within, step) => (within as Record<PropertyKey, unknown>)[step], json);
  const [run, round, option] = path.map(Number);
  const place = [`: runs[${run}]`, `, round ${round! + 1}`, `, option ${option! + 1}`].slice(0, path.length).join("");
  const found = typeof value === "number" ? value : JSON.stringify(value).slice(0, 40);
  return new UserError(
    `standard input${place} is ${found}: must be ${[ARRAY, "an array", "an array"][path.length] ?? "a number"}`,
  );
}
