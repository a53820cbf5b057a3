import { canonicalJson } from "../core/json.ts";
import { checkOptions, known } from "../core/options.ts";
import { UserError } from "../core/user_error.ts";
import { type Mosaic, rulesHash } from "../schema/mosaic.ts";
import type { StationEvent } from "../schema/station_event.ts";
import type { RoleModels } from "../schema/station_ids.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import { recap } from "../station/recap.ts";
import { ASKED, RULES } from "../station/rules.ts";
import { modelsByRole, type RunStationOptions, stationEvents, switches } from "../station/run_station.ts";
import { missing, writeWhole, writingObstacle } from "../record/files.ts";
import { provenance } from "../record/provenance.ts";
import { readStationFolder, type StationFolder, summaryOf } from "../station/read_station_folder.ts";
import {
  isFolderName,
  STATION_EVENTS_SCHEMA,
  STATION_FILES,
  type StationHeader,
  type StationSession,
  summaryText,
} from "../station/station_files.ts";
import { StationStore } from "../station/station_store.ts";
import type { Signals } from "./run_condition.ts";
import type { StationCouncil } from "./station_council.ts";

/** `label`: such as `triage` or a model id, at most 80 characters. Replies that say so themselves are synthetic too. */
export interface RunStationFolderOptions
  extends
    Omit<RunStationOptions, "council" | "resumeFrom">,
    Signals,
    Pick<StationCouncil, "label" | "synthetic" | "wrap" | "providers"> {
  readonly council: StationCouncil["chat"];
  /** Folder of this one run. */
  readonly folder: string;
  /** By default as `stationRunId` makes it. */
  readonly runId?: string | undefined;
  readonly identity?: StationCouncil["identity"] | undefined;
  /** Opens again, in a live run of an older version, the slots that the clerk filled because the endpoint failed. */
  readonly reopen?: boolean | undefined;
  /** Called with each new event once it is written. */
  readonly onEvent?: ((event: StationEvent) => void) | undefined;
  /** Called with a description of any repair in the folder. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

export interface StationFolderRun {
  readonly runId: string;
  readonly folder: string;
  readonly header: StationHeader;
  readonly events: readonly StationEvent[];
  readonly summary: StationSummary;
  /** Events that were there before; all of them where the run had been finished. */
  readonly found: number;
}

/**
 * Runs the station once, into a folder of its own, or resumes what the folder holds. A call is on record, and for a live
 * council safe on the disk, before it is used: a run cut off anywhere asks no recorded call a second time. A finished run
 * is not run again: what is missing of its summary and recap is written.
 *
 * @throws {UserError} when the folder is of another seed, ruleset, council or setting (each is named), when a line of it
 * is damaged, when another process writes it, when it cannot be written, or when a file of it is gone at the end: all that it
 * held is then kept beside it.
 * @throws {Unanswered} when the endpoint left a call without an outcome: the run stays open before that slot. Its tries are
 * in `unanswered_calls.jsonl`.
 * @throws the signal's reason when aborted; the folder can then be resumed.
 */
export async function runStationFolder(options: RunStationFolderOptions): Promise<StationFolderRun> {
  const names = "seed! ruleset! council! label! synthetic! folder! wrap replicate runId identity signal callSignal";
  const more = "model temperature maxTokens reasoningEffort structured prompts providers rules reopen onEvent onNotice";
  checkOptions("runStationFolder", options, names, more);
  const { folder, replicate = 0, council, wrap = (chat) => chat, rules = RULES, reopen, onEvent, onNotice } = options;
  const declared = stationHeader(options, rules);
  using store = await StationStore.open(declared, { folder, rules, reopen, onNotice });
  const [found, { header, isClosed }] = [store.events().length, store];
  if (!isClosed) {
    if (canonicalJson(header.made) !== canonicalJson(declared.made)) {
      const where = `${STATION_FILES.sessions} tells which`;
      onNotice?.(`${folder}: begun by another version (${header.made.library}); ${where}`);
    }
    await note("began", folder, store, declared);
    const run = { replicate, attempt: 1 };
    const chat = council === "none" ? council : wrap(store.around(council, run, options));
    try {
      for await (const event of stationEvents({ ...options, council: chat, resumeFrom: store.events() })) {
        await store.append(run, event);
        onEvent?.(event);
      }
    } finally {
      store.refuseLoss();
    }
    await note("finished", folder, store, declared);
  }
  const events = store.events();
  // A resumed run was checked when it was opened; a finished one is checked now.
  const run = isClosed ? await readStationFolder(folder, rules) : { header, events, calls: store.calls() };
  const summary = await finishStationFolder(folder, run, rules);
  return { runId: header.run_id, folder, header, events, summary, found };
}

/** Writes what a closed run's folder lacks of recap and summary, which it gives. */
export async function finishStationFolder(
  folder: string,
  run: Pick<StationFolder, "header" | "events" | "calls">,
  rules: Mosaic = RULES,
): Promise<StationSummary> {
  const { events } = run;
  const summary = (await summaryOf(folder, run, rules))!;
  await writeMissing(`${folder}/${STATION_FILES.recap}`, () => recap(events, summary, rules));
  // Last, since it marks the folder as whole.
  await writeMissing(`${folder}/${STATION_FILES.summary}`, () => summaryText(summary));
  return summary;
}

const LABEL = /^[\p{L}\p{N}][^\p{C}]{0,79}$/u;

/**
 * Run id and folder name of a council on a seed, such as `triage_seed109`, and `triage_seed109_r2` for its third run there;
 * what cannot stand in a folder name becomes `-`.
 *
 * @throws {UserError} on a label that does not begin with a letter or digit, holds control characters or is too long.
 */
export function stationRunId(label: string, seed: number, replicate = 0): string {
  const id = `${label.replace(/[^A-Za-z0-9._-]+/g, "-")}_seed${seed}${replicate === 0 ? "" : `_r${replicate}`}`;
  if (LABEL.test(label) && isFolderName(id)) return id;
  throw refusedName(label, "label a council: begin with a letter or digit, 80 at most");
}

const refusedName = (name: string, use: string): UserError =>
  new UserError(`${JSON.stringify(name)} cannot ${use}`, { exitCode: 2 });

/** The first line of a run's file of events. */
export function stationHeader(options: Omit<RunStationFolderOptions, "folder">, rules: Mosaic = RULES): StationHeader {
  const { seed, label, council, replicate = 0, model, temperature, maxTokens, identity, providers } = options;
  const { reasoningEffort } = options, structured = options.structured || undefined;
  const asked = { temperature, maxTokens, reasoningEffort, structured, providers, model: model && oneOrAll(model) };
  const run_id = options.runId ?? stationRunId(label, seed, replicate);
  if (!isFolderName(run_id)) throw refusedName(run_id, 'name a run: use letters, digits, ".", "_" and "-"');
  return {
    schema: STATION_EVENTS_SCHEMA,
    run_id,
    council: label,
    ...known({ identity }),
    synthetic: council === "none" || options.synthetic,
    seed,
    ...(replicate > 0 && { replicate }),
    ruleset: switches(options.ruleset),
    rules: rulesHash(rules),
    ...(council !== "none" && { asked: { ...ASKED, ...known(asked) } }),
    made: provenance(),
  };
}

/** One id where all roles share it, else all six: one way to write one council. */
function oneOrAll(models: RoleModels): RoleModels {
  const byRole = modelsByRole(models);
  const ids = [...new Set(Object.values(byRole))];
  return ids.length === 1 ? ids[0]! : byRole;
}

/** Adds a line to `sessions.jsonl`: when, and which version, worked on the run. */
async function note(kind: StationSession["kind"], folder: string, store: StationStore, { made }: StationHeader) {
  const path = `${folder}/${STATION_FILES.sessions}`;
  const at = new Date().toISOString(), events = store.events().length;
  const session: StationSession = { schema: "station-session/1", kind, at, events, made };
  await Deno.writeTextFile(path, `${JSON.stringify(session)}\n`, { append: true }).catch((cause: unknown) => {
    throw new UserError(`cannot write ${path}: ${writingObstacle(cause)}`, { cause });
  });
}

async function writeMissing(path: string, text: () => string): Promise<void> {
  if (await missing(path)) writeWhole(path, text());
}
