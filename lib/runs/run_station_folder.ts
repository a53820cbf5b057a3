import { canonicalJson } from "../core/json.ts";
import { UserError } from "../core/user_error.ts";
import type { ChatModel } from "../model/chat_model.ts";
import { type Mosaic, rulesHash } from "../schema/mosaic.ts";
import type { StationEvent } from "../schema/station_event.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import { recap } from "../station/recap.ts";
import { RULES } from "../station/rules.ts";
import { type Ruleset, runStation, switches } from "../station/run_station.ts";
import { writeWhole } from "./files.ts";
import { refuseOtherPlan } from "./ledger_rules.ts";
import { LedgerWriter } from "./ledger_writer.ts";
import { provenance } from "./provenance.ts";
import { checkProtocol, readStationFolder, refuseOtherRules, summaryOf } from "./read_station_folder.ts";
import { readStationLogIfBegun, type StationLog, summaryText } from "./read_station_run.ts";
import { StationCallLog } from "./station_call_log.ts";
import { STATION_EVENTS_SCHEMA, STATION_FILES, type StationHeader, type StationSession } from "./station_files.ts";
import { isFolderName } from "./station_manifest.ts";

export interface RunStationFolderOptions {
  readonly seed: number;
  readonly ruleset: Ruleset;
  /** Who fills the six roles; `"none"` leaves all to the clerk's fallback. */
  readonly council: ChatModel | "none";
  /** What the record calls the council, such as `triage` or a model id; at most 80 characters. */
  readonly label: string;
  /** Whether no language model takes part; without a council it never does. */
  readonly synthetic: boolean;
  /** Folder of this one run. */
  readonly folder: string;
  /** By default as `stationRunId` makes it. */
  readonly runId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly model?: string | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly rules?: Mosaic | undefined;
  /** Told of each new event once it is written. */
  readonly onEvent?: ((event: StationEvent) => void) | undefined;
  /** Told of anything that was found in the folder and repaired. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

export interface StationFolderRun {
  readonly runId: string;
  readonly folder: string;
  readonly events: readonly StationEvent[];
  readonly summary: StationSummary;
  /** Events that were there before; all of them where the run had been finished. */
  readonly found: number;
}

/**
 * Runs the station once, into a folder of its own, or resumes what the folder holds. Events are appended as they
 * happen and made safe at the close of each round; calls are recorded before they are used, so that a run cut off
 * anywhere asks no recorded call a second time. A finished run is not run again: what is missing of its summary and
 * recap is written.
 *
 * @throws {UserError} when the folder is of another seed, ruleset, council or setting (each is named), when a line of it
 * is damaged, when another process writes it, or when it cannot be written.
 * @throws {ModelError} when the endpoint refuses every call (`auth`, `quota`).
 * @throws the signal's reason when aborted; the folder can then be resumed.
 */
export async function runStationFolder(options: RunStationFolderOptions): Promise<StationFolderRun> {
  const { folder, rules = RULES, onNotice } = options;
  const header = declare(options, rules);
  // Opened before it is read, so that nobody else writes between the reading and the resuming.
  using writer: Lines & Disposable = LedgerWriter.open(`${folder}/${STATION_FILES.events}`);
  const log = await openLog(writer, header, options, rules);
  const found = log.events.length;
  if (log.events.at(-1)?.kind === "run.closed") return await finish(log, found, folder, rules);
  using sessions: Lines & Disposable = openLines(`${folder}/${STATION_FILES.sessions}`);
  sessions.append(session("began", found, header));
  if (canonicalJson(log.header.made) !== canonicalJson(header.made)) {
    onNotice?.(
      `${folder}: begun by another version (${log.header.made.library}); ${STATION_FILES.sessions} tells which`,
    );
  }
  const whole = { ...log, events: await play(writer, log, options, rules) };
  sessions.append(session("finished", whole.events.length, header));
  sessions.commit();
  return await finish(whole, found, folder, rules);
}

const LABEL = /^[\p{L}\p{N}][^\p{C}]{0,79}$/u;

/**
 * Run id and folder name of a council on a seed, such as `triage_seed109`; what cannot stand in a folder name becomes `-`.
 *
 * @throws {UserError} on a label that does not begin with a letter or digit, holds control characters or is too long.
 */
export function stationRunId(label: string, seed: number): string {
  const id = `${label.replace(/[^A-Za-z0-9._-]+/g, "-")}_seed${seed}`;
  if (LABEL.test(label) && isFolderName(id)) return id;
  throw new UserError(`${JSON.stringify(label)} cannot label a council: begin with a letter or digit, 80 at most`, {
    exitCode: 2,
  });
}

/** What of a `LedgerWriter` is needed here: it appends any line. */
interface Lines {
  append(line: object): void;
  commit(): void;
  endLastLine(): boolean;
}

function openLines(path: string): LedgerWriter {
  const writer = LedgerWriter.open(path);
  writer.endLastLine();
  return writer;
}

const session = (kind: StationSession["kind"], events: number, { made }: StationHeader): StationSession => ({
  schema: "station-session/1",
  kind,
  at: new Date().toISOString(),
  events,
  made,
});

function declare(options: RunStationFolderOptions, rules: Mosaic): StationHeader {
  const { seed, label, council, model, temperature, maxTokens } = options;
  const run_id = options.runId ?? stationRunId(label, seed);
  if (!isFolderName(run_id)) {
    throw new UserError(`${JSON.stringify(run_id)} cannot name a run: use letters, digits, ".", "_" and "-"`, {
      exitCode: 2,
    });
  }
  return {
    schema: STATION_EVENTS_SCHEMA,
    run_id,
    council: label,
    synthetic: council === "none" || options.synthetic,
    seed,
    ruleset: switches(options.ruleset),
    rules: rulesHash(rules),
    ...(council !== "none" && {
      asked: {
        ...(model !== undefined && { model }),
        ...(temperature !== undefined && { temperature }),
        ...(maxTokens !== undefined && { maxTokens }),
      },
    }),
    made: provenance(),
  };
}

/** What the folder holds to resume from, after its last line was repaired; a new log where it holds nothing. */
async function openLog(
  writer: Lines,
  header: StationHeader,
  { folder, onNotice }: RunStationFolderOptions,
  rules: Mosaic,
): Promise<StationLog> {
  const path = `${folder}/${STATION_FILES.events}`;
  const log = await readStationLogIfBegun(path);
  if (log) {
    refuseOtherPlan(path, headerDifferences(log.header, header), "use another folder");
    refuseOtherRules(log, rules);
    checkProtocol(log, rules);
  }
  if (writer.endLastLine()) {
    onNotice?.(`${path}: line ${log?.torn?.line ?? 1} was torn off; its bytes are kept in ${path}.torn`);
  }
  if (log) return log;
  writer.append(header);
  writer.commit();
  return { path, header, events: [] };
}

const PLAN = ["run_id", "council", "synthetic", "seed", "ruleset", "asked"] as const;

/** Every value of the plan in which a folder's run differs from this one, in words. */
const headerDifferences = (before: StationHeader, now: StationHeader): string[] =>
  PLAN.filter((field) => canonicalJson(before[field]) !== canonicalJson(now[field]))
    .map((field) => `${field}: there ${canonicalJson(before[field])}, now ${canonicalJson(now[field])}`);

async function play(
  writer: Lines,
  { events: past }: StationLog,
  options: RunStationFolderOptions,
  rules: Mosaic,
): Promise<StationEvent[]> {
  const { folder, seed, ruleset, council, signal, model, temperature, maxTokens, onEvent } = options;
  const events = [...past];
  using calls = await StationCallLog.open(folder, past, options);
  const chat = council === "none" ? council : calls.around(council);
  const run = runStation({
    seed,
    ruleset,
    council: chat,
    signal,
    resumeFrom: past,
    model,
    temperature,
    maxTokens,
    rules,
  });
  for await (const event of run) {
    writer.append(event);
    events.push(event);
    if (event.kind === "round.closed" || event.kind === "run.closed") {
      // Calls first: an event must not outlive the call it names.
      calls.commit();
      writer.commit();
    }
    onEvent?.(event);
  }
  return events;
}

/** Writes what a closed run's folder still lacks, and checks the folder as a reader would. */
async function finish(log: StationLog, found: number, folder: string, rules: Mosaic): Promise<StationFolderRun> {
  const { events, header } = log;
  const summary = summaryOf(log, rules)!;
  await readStationFolder(folder, rules);
  writeMissing(`${folder}/${STATION_FILES.recap}`, () => recap(events, summary, rules));
  // Last, since it is what says that the folder is whole.
  writeMissing(`${folder}/${STATION_FILES.summary}`, () => summaryText(summary));
  return { runId: header.run_id, folder, events, summary, found };
}

function writeMissing(path: string, text: () => string): void {
  try {
    Deno.statSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    writeWhole(path, text());
  }
}
