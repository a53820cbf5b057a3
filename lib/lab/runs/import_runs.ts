import { fileURLToPath } from "node:url";
import { checkOptions } from "../../core/options.ts";
import { unknownName, UserError } from "../../core/user_error.ts";
import { listJson } from "../../record/files.ts";
import { fieldName, readJson, violations } from "../../record/read_json.ts";
import { RunSource, type RunSourceChoices } from "../../record/run_source.ts";
import { type FileCopy, sourceFiles } from "../../record/source_files.ts";
import { observer } from "../../record/source_observations.ts";
import { type AssembledRuns, assembleRuns } from "../../record/source_runs.ts";
import type { FormatOptions } from "./formats/common.ts";
import { formatSources, isRecordFormat, RECORD_FORMATS } from "./record_formats.ts";
import { stateReader } from "../../record/source_states.ts";
import { type ExcludedRun, sourceUnits } from "../../record/source_units.ts";

export interface ImportRunsOptions extends FormatOptions {
  /** Name of the condition; by default the mapping's. */
  readonly name?: string | undefined;
  /** Other values of the mapping's choices, by path: `{ ended: "carry", "round.first": 0 }`. */
  readonly choices?: Readonly<Record<string, unknown>> | undefined;
}

/** Runs of anybody's records, ready for analysis: `runs.map(({ means }) => means)` is what the estimators take. */
export interface ImportedRuns extends AssembledRuns {
  readonly name: string;
  readonly about: RunSource["about"];
  /** Observations that give no state, over all runs. */
  readonly unread: number;
  /** Numbers out of range that were kept as written, over all runs. */
  readonly flagged: number;
  /** Files with the bytes of one before them. */
  readonly copies: readonly FileCopy[];
  /** Absent where the mapping does not say. */
  readonly synthetic?: boolean;
}

/**
 * Imports runs from the records of any program, by a mapping (`run-source/2`, see `RunSource`) that says where runs, rounds, agents
 * and states are: files, folders or zips of JSON, JSON lines or CSV.
 *
 * Numbers are taken as written, never clipped. Runs may be identical; a copied file is recognised by its bytes.
 *
 * @param files paths of files, folders (their files match the mapping's `files`) and zips (`inside`).
 * @param source a mapping, the path of its JSON file (with a `/` or ending `.json`), the name of one in `scenarios/sources/`, or
 * a format that needs none: `csv`, `inspect`, `messages` (see `importConditions`, for files of several conditions).
 * @param options `options`, `range`: with a format, how a text becomes a state.
 * @throws {UserError} on the first flaw that the mapping does not allow for, naming file, line, run, round, agent and the choice
 * to change.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const { options, runs } = await importRuns("data/examples/jury.csv", {
 *   schema: "run-source/2",
 *   name: "two dozen juries",
 *   unit: "rows",
 *   run: "run",
 *   observations: { layout: "rows", agent: "agent" },
 *   round: { by: "path", at: "round" },
 *   state: { kind: "vote", at: "choice", options: "occurring" },
 * });
 * assert.deepEqual(options, ["guilty", "not guilty"]);
 * assert.deepEqual([runs.length, runs[0]!.means.length], [24, 12]);
 * ```
 */
export async function importRuns(
  files: string | readonly string[],
  source: RunSourceChoices | string,
  options: ImportRunsOptions = {},
): Promise<ImportedRuns> {
  const { name, choices = {}, ...format } = checkOptions("importRuns", options, "name choices options range");
  if (isRecordFormat(source)) {
    const found = await formatSources([files].flat(), source, format);
    if (found.length === 1) return await importRuns(found[0]!.files, found[0]!.source, { name, choices });
    const names = found.map(({ source }) => source.name).join("; ");
    throw new UserError(
      `${[files].flat().join(", ")}: holds ${found.length} conditions (${names}): use importConditions`,
    );
  }
  const mapping = await loadRunSource(source, choices);
  const copies: FileCopy[] = [], failed: ExcludedRun[] = [], states = stateReader(mapping);
  const units = await sourceUnits(
    sourceFiles([files].flat(), mapping, copies),
    mapping,
    observer(mapping, states.read),
    failed,
  );
  if (units.length === 0 && failed.length > 0) {
    throw new UserError(`${failed[0]!.id}: ${failed[0]!.cause}, as did all others (${failed.length}); choice: failed`);
  }
  if (units.length === 0) throw new UserError(`${[files].flat().join(", ")}: no runs; choice: files, unit or only`);
  const { runs, excluded, ...shape } = assembleRuns(units, mapping, states);
  const { about } = mapping;
  return {
    name: name ?? mapping.name,
    about,
    ...shape,
    runs,
    excluded: [...(mapping.copies === "exclude" ? copies.map(excludedCopy) : []), ...failed, ...excluded],
    unread: runs.reduce((sum, { unread }) => sum + unread, 0),
    flagged: runs.reduce((sum, { flagged }) => sum + flagged, 0),
    copies,
    ...(about.synthetic !== undefined && { synthetic: about.synthetic }),
  };
}

/** A mapping with some of its choices replaced, by their paths. */
function withChoices(source: RunSource, choices: Readonly<Record<string, unknown>>): RunSourceChoices {
  const written = structuredClone(source);
  for (const [path, value] of Object.entries(choices)) {
    const names = path.split("."), last = names.pop()!;
    const place = names.reduce<Record<string, unknown>>((within, name) => {
      const inner = Object.hasOwn(within, name) ? within[name] : undefined;
      return (typeof inner === "object" && inner !== null ? inner : within[name] = {}) as Record<string, unknown>;
    }, written);
    place[last] = value;
  }
  return written;
}

const excludedCopy = ({ file, of }: FileCopy): ExcludedRun => (
  { id: file, file, cause: `has the same bytes as ${of}` }
);

const SOURCES = new URL("../../../scenarios/sources/", import.meta.url);

/** The names of the mappings that come with the project. */
export const listRunSources = (): Promise<string[]> => listJson(SOURCES);

/**
 * A checked mapping.
 *
 * @param source a mapping as written, the path of its JSON file, or the name of one that comes with the project.
 * @param choices other values of some of its choices, by path.
 * @throws {UserError} naming every choice that does not exist, with the nearest that does.
 */
export async function loadRunSource(
  source: RunSourceChoices | string,
  choices: ImportRunsOptions["choices"] = {},
): Promise<RunSource> {
  if (Object.keys(choices).length > 0) return await loadRunSource(withChoices(await loadRunSource(source), choices));
  if (typeof source !== "string") {
    const checked = violations(RunSource, source);
    if (checked.ok) return checked.value;
    const words = checked.violations.map(({ path, rule }) => `${fieldName(path) || "the mapping"}: ${rule}`);
    throw new UserError(words.join("\n"), { exitCode: 2 });
  }
  if (source.includes("/") || source.endsWith(".json")) return await readJson(source, RunSource);
  const known = await listRunSources();
  if (!known.includes(source)) throw unknownName("format", source, [...RECORD_FORMATS, ...known]);
  return await readJson(fileURLToPath(new URL(`${source}.json`, SOURCES)), RunSource);
}
