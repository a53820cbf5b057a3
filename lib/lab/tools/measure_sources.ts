import process from "node:process";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { known } from "../../core/options.ts";
import { UserError } from "../../core/user_error.ts";
import { reading } from "../../record/files.ts";
import { beginsAsLedger } from "../../record/ledger_rules.ts";
import { readLedger } from "../../deliberation/ledger.ts";
import { rereadLedger } from "../../deliberation/reread.ts";
import type { LabelledRuns } from "../runs/rows.ts";
import { OPTION_LETTERS } from "../../schema/scenario.ts";
import { type ImportedRuns, importRuns } from "../runs/import_runs.ts";
import { type PlainRuns, plainSource } from "../runs/plain_runs.ts";
import { conditionRuns } from "../live/run_experiment.ts";
import type { RunAccounting } from "../../record/accounting.ts";
import type { AgentStates } from "../../stats/independent_divergence.ts";
import type { Trajectory } from "../../stats/trajectory.ts";
import { badArguments, count, say } from "./command.ts";
import type { LetPass } from "./record_flags.ts";
import type { TableRun } from "./tables.ts";

/** Runs to measure, from a ledger or from anybody's records. */
export interface Source extends Omit<LabelledRuns<MeasuredRun>, "label"> {
  readonly name: string;
  /** Shares of what was said in each round alone, [R][T][K], where it differs from the means. */
  readonly said?: readonly Trajectory[] | undefined;
  /** What `--json` prints of it besides its measurement. */
  readonly facts: Facts;
}

/** Runs whose agents' states are known. */
export interface StatedSource extends Source {
  readonly runs: readonly (MeasuredRun & { readonly preferences: AgentStates })[];
}

interface MeasuredRun extends TableRun {
  /** The run's own name, where the records give it one. */
  readonly id?: string;
  readonly decision?: string | undefined;
}

interface Facts extends LetPass {
  /** The file they were read from; absent for standard input. */
  readonly file?: string;
  /** Of imported records: what they are. */
  readonly about?: ImportedRuns["about"];
  readonly excluded?: ImportedRuns["excluded"];
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

/**
 * A ledger, or runs that `deno task import` wrote.
 *
 * @throws {UserError} on any other file, and on one without runs, or without replies if they are to be read again.
 */
export async function fromFile(
  path: string,
  { reread }: { readonly reread: Parser | undefined },
): Promise<StatedSource> {
  await checkFile(path);
  if (await beginsAsLedger(path)) return await fromLedger(path, reread);
  if (reread) throw badArguments(`--reread needs the replies, which ${path} does not hold: it is no ledger`);
  const plain = path.endsWith(".jsonl") ? await plainSource(path) : undefined;
  if (plain) return fromImported(await importRuns(path, plain), path);
  throw new UserError(
    `${path} is no ledger, and no runs of 'deno task import'; 'deno task measure' and 'deno task import' read other runs ` +
      "with --source MAPPING or --from FORMAT: --source plain, where a line is a run with its rounds",
  );
}

const seated = (labels: readonly string[]) => ({ seats: labels.map((label) => ({ label, model: "" })) });

/** Runs of anybody's records, as a mapping or a format reads them. */
export function fromImported(imported: ImportedRuns, file: string): StatedSource {
  const { name, about, options, agents, runs, synthetic, excluded, unread, flagged, carried, copies } = imported;
  return {
    ...{ name, condition: seated(agents), knobs: { agents: agents.length }, names: options, ...known({ synthetic }) },
    runs: runs.map(({ id, means, states, decision }, replicate) => (
      { replicate, id, means, preferences: states, decision }
    )),
    said: saidAlone(runs),
    facts: known({ file, about, excluded, unread, flagged, carried, copies, synthetic, looks: about.looks }),
  };
}

/** The shares of what was said in each round alone; undefined if that is what the means are, or is not counted. */
function saidAlone(runs: ImportedRuns["runs"]): Trajectory[] | undefined {
  const shares = runs.map(({ said }) =>
    said.map((counts) => {
      const total = counts.reduce((sum, count) => sum + count, 0);
      return counts.map((count) => total === 0 ? 0 : count / total);
    })
  );
  const differs = ({ means }: ImportedRuns["runs"][number], r: number) =>
    shares[r]!.some((round, t) => round.some((share, k) => Math.abs(share - means[t]![k]!) > 1e-9));
  return runs.some(differs) ? shares : undefined;
}

/** Says of runs that stopped by a design what their p and interval leave out. */
export const looksNote = (looks: number): string =>
  `stopped by a design after ${count(looks, "look")}, which p and interval here do not allow for (its ledger says)`;

/** A source's runs for an export. */
export function plainOf({ name, runs, condition, names, synthetic, facts: { looks } }: StatedSource): PlainRuns {
  return {
    name,
    options: names ?? OPTION_LETTERS.slice(0, runs[0]!.means[0]!.length),
    agents: condition.seats.map(({ label }) => label),
    runs: runs.map(({ replicate, id = String(replicate), means, preferences: states, decision }) => (
      { id, means, states, decision }
    )),
    ...known({ synthetic, looks }),
  };
}

async function fromLedger(path: string, reread: Parser | undefined): Promise<StatedSource> {
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
  const input = await text(process.stdin);
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
  return { name: "standard input", condition: seated([]), knobs: {}, runs, facts: {} };
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
