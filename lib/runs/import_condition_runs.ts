import { basename } from "node:path";
import { contentHash } from "../core/json.ts";
import { checkOptions } from "../core/options.ts";
import { UserError } from "../core/user_error.ts";
import type { ConditionKnobs } from "../schema/condition.ts";
import { textLines } from "../record/lines.ts";
import { parseConditionName } from "../deliberation/condition_name.ts";
import { readJson } from "../record/read_json.ts";
import { readRun, type RunContent } from "../record/read_run.ts";
import { RunFlaw, type RunFlawCode, RunMapping, STANDARD_MAPPING } from "../record/run_mapping.ts";

export interface ImportConditionOptions {
  /** A mapping of field names, or the path of its JSON file. By default the standard names of `RunMapping`. */
  readonly mapping?: string | RunMapping | undefined;
  /** Kinds of flawed runs to leave out, whole runs at a time; by default the first flaw stops the reading. */
  readonly exclude?: readonly RunFlawCode[] | undefined;
  /**
   * Takes runs with the same states as one before them for runs of their own. Default false: a line is more often copied
   * than a committee repeats itself for twenty rounds; but one that hardly varies may.
   */
  readonly keepIdentical?: boolean | undefined;
}

/**
 * A run of another author's records, ready for analysis: its means for `measureRuns`, its preferences, where there are any, for
 * `timeToMajority` and `switchCounts`, its decision for `flipRate`.
 */
export interface ConditionRun extends RunContent {
  /** The line's own name for it, or else `line 7`. */
  readonly id: string;
  readonly line: number;
}

/** A run that was left out because it was asked for. */
export interface ExcludedRun {
  readonly line: number;
  readonly code: RunFlawCode;
  readonly cause: string;
}

/** A file of another author's runs. */
export interface ConditionFile {
  readonly path: string;
  /** The file's name without its ending, as its runs' condition is called. */
  readonly name: string;
  readonly condition: ConditionKnobs;
  readonly runs: readonly ConditionRun[];
  readonly excluded: readonly ExcludedRun[];
  /** True if some run says that no language model took part; absent where none says anything. */
  readonly synthetic?: boolean;
}

/**
 * Reads a file of JSON lines that another programme wrote, one run a line, as the deliberation paper names such files
 * (Table S2): `HL-01__T0.0__N5__rolesFalse.jsonl`. The paper's own files are not public, so the form of a line is one we
 * chose; any field may be elsewhere, and a mapping then says where.
 *
 *     {"run": 0, "rounds": [{"states": {"Chair": {"pref": [0.5, 0.3, 0.2], "conf": 70, "tags": []}, …}}, …], "decision": "A"}
 *     {"run": 1, "rounds": [{"round": 1, "states": [{"role": "Chair", "pref": {"A": 0.5, "B": 0.3, "C": 0.2}}, …]}, …]}
 *     {"run": 2, "rounds": [[[0.5, 0.3, 0.2], …], …]}                       states by agent and option, in seat order
 *     {"run": 3, "trajectory": [[0.41, 0.33, 0.26], …]}                     committee means alone, [T][K]
 *
 * Scenario, temperature, roles, number of agents and of rounds (20, or `__R40`) are taken from the file's name; a run
 * must have as many. Numbers are taken as written. Confidences, tags and words are not read.
 *
 * Lines are read one by one, and of each only the numbers are kept.
 *
 * @throws {UserError} on the first flaw that is not to be excluded, naming file, line, round and rule; on a file whose name
 * says no condition, on runs that differ in agents or options, and on a file without runs.
 */
export async function importConditionRuns(path: string, options: ImportConditionOptions = {}): Promise<ConditionFile> {
  checkOptions("importConditionRuns", options, "mapping exclude keepIdentical");
  const { mapping: given = STANDARD_MAPPING, exclude = [], keepIdentical = false } = options;
  const name = basename(path).replace(/\.jsonl$/, ""), condition = conditionOf(name, path);
  const mapping = typeof given === "string" ? await readJson(given, RunMapping) : given;
  const runs: ConditionRun[] = [], excluded: ExcludedRun[] = [];
  const compare = comparing({ keepIdentical });
  for await (const { text, line } of textLines(path)) {
    try {
      const content = readRun(parseLine(text), mapping, condition);
      compare(content, line);
      runs.push({ ...content, id: content.id ?? `line ${line}`, line });
    } catch (flaw) {
      if (!(flaw instanceof RunFlaw)) throw flaw;
      const { code, message: cause } = flaw;
      if (!exclude.includes(code)) throw new UserError(`${path}: line ${line} ${cause} (${code})`, { cause: flaw });
      excluded.push({ line, code, cause });
    }
  }
  if (runs.length === 0) {
    throw new UserError(`${path}: holds no run${excluded.length > 0 ? ` but the ${excluded.length} left out` : ""}`);
  }
  const flags = runs.flatMap(({ synthetic }) => synthetic ?? []);
  return { path, name, condition, runs, excluded, ...(flags.length > 0 && { synthetic: flags.includes(true) }) };
}

function conditionOf(name: string, path: string): ConditionKnobs {
  try {
    return parseConditionName(name);
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    const rule = "A file that is no ledger must be named after its condition, as in HL-01__T0.0__N5__rolesFalse.jsonl";
    throw new UserError(`${path}: ${cause.message}. ${rule}`, { cause });
  }
}

/** Strings, which stay, and the words that Python writes for numbers that JSON does not have. */
const NO_NUMBER = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/** A line's JSON; a bare NaN becomes the text "NaN", so that what reads numbers can name its place. */
function parseLine(text: string): unknown {
  if (text.trim() === "") throw new RunFlaw("malformed", "is empty");
  try {
    return JSON.parse(text);
  } catch {
    try {
      return JSON.parse(text.replace(NO_NUMBER, (match) => (match.startsWith('"') ? match : `"${match}"`)));
    } catch {
      const list = text.trimStart().startsWith("[") ? "; a list [ ] of runs must be written one run a line" : "";
      throw new RunFlaw("malformed", `is not JSON${list}`);
    }
  }
}

/** A check of each run of a file against those before it, of which it keeps the shape, the names and the states. */
function comparing({ keepIdentical }: { keepIdentical: boolean }) {
  const lineOfId = new Map<string, number>(), lineOfStates = new Map<string, number>();
  let first: { readonly line: number; readonly agents: string; readonly options: number } | undefined;
  /** Throws a `RunFlaw` where the run is one of those before it, or cannot be measured together with them. */
  return ({ id, means, preferences, agents }: RunContent, line: number): void => {
    const shape = { line, agents: agentsInWords(preferences, agents), options: means[0]!.length };
    const usual = first ?? shape;
    if (shape.options !== usual.options) {
      throw new RunFlaw("malformed", `has ${shape.options} options, line ${usual.line} has ${usual.options}`);
    }
    if (shape.agents !== usual.agents) {
      throw new RunFlaw("malformed", `has ${shape.agents}, line ${usual.line} has ${usual.agents}`);
    }
    const states = contentHash(preferences ?? means);
    const [sameId, sameStates] = [lineOfId.get(id ?? ""), lineOfStates.get(states)];
    if (id !== undefined && sameId !== undefined) {
      throw new RunFlaw("duplicate", `holds the run ${JSON.stringify(id)}, which line ${sameId} holds already`);
    }
    if (sameStates !== undefined && !keepIdentical) {
      throw new RunFlaw("duplicate", `has the states of line ${sameStates} throughout: the run may be there twice`);
    }
    first = usual;
    if (id !== undefined) lineOfId.set(id, line);
    lineOfStates.set(states, line);
  };
}

function agentsInWords(preferences: RunContent["preferences"], agents: RunContent["agents"]): string {
  if (preferences === undefined) return "committee means alone";
  return agents?.join(", ") ?? "agents without names";
}
