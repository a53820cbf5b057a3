import { canonicalJson } from "../core/json.ts";
import { known } from "../core/known.ts";
import { checkOptions } from "../core/options.ts";
import { UserError } from "../core/user_error.ts";
import type { ChatModel } from "../model/chat_model.ts";
import { type Mosaic, rulesHash } from "../schema/mosaic.ts";
import type { DeclaredProvider } from "../schema/providers.ts";
import type { StationEvent } from "../schema/station_event.ts";
import type { RoleModels } from "../schema/station_ids.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import { recap } from "../station/recap.ts";
import { RULES } from "../station/rules.ts";
import { ASKED, modelsByRole, type Ruleset, type Sampling, stationEvents, switches } from "../station/run_station.ts";
import { writeWhole, writingObstacle } from "./files.ts";
import { provenance } from "./provenance.ts";
import { readStationFolder, type StationFolder, summaryOf } from "./read_station_folder.ts";
import { missing, summaryText } from "./read_station_run.ts";
import { STATION_EVENTS_SCHEMA, STATION_FILES, type StationHeader, type StationSession } from "./station_files.ts";
import { isFolderName } from "./station_manifest.ts";
import { StationStore } from "./station_store.ts";

export interface RunStationFolderOptions extends Sampling {
  readonly seed: number;
  readonly ruleset: Ruleset;
  /** Who fills the six roles; `"none"` leaves all to the clerk's fallback. */
  readonly council: ChatModel | "none";
  /** What changes its prompts before they are recorded. */
  readonly wrap?: ((chat: ChatModel) => ChatModel) | undefined;
  /** What the record calls the council, such as `triage` or a model id; at most 80 characters. */
  readonly label: string;
  /** Whether no language model takes part; without a council it never does. Replies that say so themselves count too. */
  readonly synthetic: boolean;
  /** Folder of this one run. */
  readonly folder: string;
  /** Which run of the council on this seed, from 0: other dice under the same weather. */
  readonly replicate?: number | undefined;
  /** By default as `stationRunId` makes it. */
  readonly runId?: string | undefined;
  /** The endpoint or the recording that is asked: another one cannot resume the run. */
  readonly identity?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Ends a call under way, where that is not what ends the run. */
  readonly callSignal?: AbortSignal | undefined;
  /** Model id asked for, or ids by role. */
  readonly model?: RoleModels | undefined;
  /** Of a recording: the version of the prompts that it was asked with. */
  readonly prompts?: 1 | 2 | undefined;
  /** Settings of the providers that the models name. */
  readonly providers?: Record<string, DeclaredProvider> | undefined;
  readonly rules?: Mosaic | undefined;
  /** Opens again, in a live run of an older version, the slots that the clerk filled because the endpoint failed. */
  readonly reopen?: boolean | undefined;
  /** Told of each new event once it is written. */
  readonly onEvent?: ((event: StationEvent) => void) | undefined;
  /** Told of anything that was found in the folder and repaired. */
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
    await note(folder, "began", store, declared);
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
    await note(folder, "finished", store, declared);
  }
  const events = store.events();
  // A run that goes on was checked when it was opened; a finished one is checked now.
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
  // Last, since it is what says that the folder is whole.
  await writeMissing(`${folder}/${STATION_FILES.summary}`, () => summaryText(summary));
  return summary;
}

/** What a run is declared by. */
export type StationHeaderOptions = Omit<RunStationFolderOptions, "folder">;

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
  throw new UserError(`${JSON.stringify(label)} cannot label a council: begin with a letter or digit, 80 at most`, {
    exitCode: 2,
  });
}

/** What opens a run's file of events. */
export function stationHeader(options: StationHeaderOptions, rules: Mosaic = RULES): StationHeader {
  const { seed, label, council, replicate = 0, model, temperature, maxTokens, identity, providers } = options;
  const { reasoningEffort } = options, structured = options.structured || undefined;
  const run_id = options.runId ?? stationRunId(label, seed, replicate);
  if (!isFolderName(run_id)) {
    throw new UserError(`${JSON.stringify(run_id)} cannot name a run: use letters, digits, ".", "_" and "-"`, {
      exitCode: 2,
    });
  }
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
    ...(council !== "none" && {
      asked: {
        ...ASKED,
        ...known({ temperature, maxTokens, reasoningEffort, structured, providers }),
        ...(model !== undefined && { model: oneOrAll(model) }),
      },
    }),
    made: provenance(),
  };
}

/** One id where all roles share it, else all six: one way to write one council. */
function oneOrAll(models: RoleModels): RoleModels {
  const byRole = modelsByRole(models);
  const ids = [...new Set(Object.values(byRole))];
  return ids.length === 1 ? ids[0]! : byRole;
}

/** Tells `sessions.jsonl` who works on the run. */
async function note(
  folder: string,
  kind: StationSession["kind"],
  store: StationStore,
  { made }: StationHeader,
): Promise<void> {
  const path = `${folder}/${STATION_FILES.sessions}`;
  const session: StationSession = {
    ...{ schema: "station-session/1", kind, at: new Date().toISOString() },
    ...{ events: store.events().length, made },
  };
  await Deno.writeTextFile(path, `${JSON.stringify(session)}\n`, { append: true }).catch((cause: unknown) => {
    throw new UserError(`cannot write ${path}: ${writingObstacle(cause)}`, { cause });
  });
}

async function writeMissing(path: string, text: () => string): Promise<void> {
  if (await missing(path)) writeWhole(path, text());
}
