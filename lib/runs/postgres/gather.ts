import { UserError } from "../../core/user_error.ts";
import type { Declaration } from "../../schema/ledger_line.ts";
import { ModelCall } from "../../schema/model_call.ts";
import { StationEvent } from "../../schema/station_event.ts";
import { readText, writeWhole } from "../files.ts";
import { ledgerText } from "../ledger_store.ts";
import { type Ledger, parseLedger } from "../read_ledger.ts";
import { readStationFolder, type StationFolder } from "../read_station_folder.ts";
import { missing } from "../read_station_run.ts";
import { chained } from "../seal.ts";
import { listedBefore, listStations } from "../station_batch.ts";
import { finishStationFolder, type StationFolderRun } from "../run_station_folder.ts";
import { MANIFEST, STATION_FILES, type StationHeader } from "../station_files.ts";
import type { Database, Statements } from "./database.ts";
import { CALLS, EVENTS, UNANSWERED } from "./postgres_store.ts";
import { readLedgers, type StoredLedger } from "./sweeps.ts";

/** Where the tries stand whose fate nobody knows, beside the ledgers: they may have been paid for. */
export const UNKNOWN_CALLS = "unknown_calls.jsonl";

const isStation = (declaration: Declaration | StationHeader): declaration is StationHeader => "run_id" in declaration;

/**
 * The text of a ledger as one machine alone would write it that makes its runs one after the other.
 */
export async function storedLedgerText(store: Statements, { id, declaration }: StoredLedger): Promise<string> {
  const rows = await store.query<{ text: string }>(
    `select text from line join run on run.id = line.run
     where run.ledger = $1 and file = $2 order by replicate, n`,
    [id, EVENTS],
  );
  return ledgerText([declaration as Declaration, ...rows.map(({ text }) => JSON.parse(text))]);
}

/** A sweep of committees as a store has it by now, as `readLedger` would give its ledgers. */
export async function storedLedgers(database: Database, sweep: string): Promise<Ledger[]> {
  const stored = await ledgersOf(database, sweep);
  const ledgers: Ledger[] = [];
  for (const one of stored.filter(({ declaration }) => !isStation(declaration))) {
    const bytes = new TextEncoder().encode(await storedLedgerText(database, one));
    ledgers.push(parseLedger(bytes, `${database.shown}: ${sweep}/${one.name}`, { code: undefined }));
  }
  return ledgers;
}

/** The runs of a sweep of the station as a store has them by now. */
export async function storedStations(
  database: Database,
  sweep: string,
): Promise<{ header: StationHeader; events: StationEvent[]; calls: ModelCall[] }[]> {
  const stored = await ledgersOf(database, sweep);
  const runs = [];
  for (const one of stored) {
    if (!isStation(one.declaration)) continue;
    const lines = await linesOf(database, one);
    runs.push({
      header: one.declaration,
      events: lines(EVENTS).map((line) => StationEvent.parse(line)),
      calls: lines(CALLS).map((line) => ModelCall.parse(line)),
    });
  }
  return runs;
}

/** The lines of a run of the station, by file. */
async function linesOf(store: Statements, { id }: StoredLedger): Promise<(file: string) => object[]> {
  const rows = await store.query<{ file: string; text: string }>(
    "select file, text from line join run on run.id = line.run where run.ledger = $1 order by file, n",
    [id],
  );
  return (file) => rows.filter((row) => row.file === file).map(({ text }) => JSON.parse(text));
}

async function ledgersOf(database: Database, sweep: string): Promise<StoredLedger[]> {
  const stored = await readLedgers(database, sweep);
  if (stored.length > 0) return stored;
  throw new UserError(`${database.shown} holds no sweep ${sweep}`, { exitCode: 2 });
}

/** What a sweep came to in a folder. */
export interface Gathered {
  readonly ledgers: readonly string[];
  readonly stations: readonly StationFolderRun[];
  /** Runs of the station that are not closed; their folders can be resumed. */
  readonly open: readonly string[];
  /** Tries whose fate nobody knows. */
  readonly unknown: number;
}

/**
 * Writes a sweep as files: ledgers, or folders of the station with their manifests, in the order of declaration. What stands
 * there of an earlier gathering is replaced by what it became.
 *
 * @throws {UserError} where a file there holds a line that the store does not have: it is left as it is; where it cannot be
 * written; and, before anything is written, where the store names a ledger by what is no file name.
 */
export async function gather(database: Database, sweep: string, out: string): Promise<Gathered> {
  const stored = await ledgersOf(database, sweep);
  const stray = stored.find(({ name }) => !isFileName(name));
  if (stray) {
    const what = `${database.shown}: ${sweep} holds a ledger ${JSON.stringify(stray.name)}, which is no file name`;
    throw new UserError(`${what}; nothing was written`);
  }
  const ledgers: string[] = [];
  const folders: StationFolder[] = [];
  for (const one of stored) {
    if (isStation(one.declaration)) folders.push(await writeStation(database, one, `${out}/${one.name}`));
    else ledgers.push(await writeLines(`${out}/${one.name}.jsonl`, await storedLedgerText(database, one)));
  }
  const stations: StationFolderRun[] = [];
  for (const run of folders) {
    const { folder, header, events } = run;
    if (!run.summary) continue;
    const summary = await finishStationFolder(folder, run);
    stations.push({ runId: header.run_id, folder, header, events, summary, found: events.length });
  }
  const open = folders.filter(({ summary }) => !summary);
  const roots = Map.groupBy(stations, ({ folder }) => folder.slice(0, folder.lastIndexOf("/")));
  for (const [root, finished] of roots) {
    const unfinished = open.filter(({ folder }) => folder.startsWith(`${root}/`)).map(({ header }) => header.run_id);
    await listStations(root, await listedBefore(`${root}/${MANIFEST}`), { finished, open: unfinished });
  }
  const unknown = await writeUnknown(database, sweep, out);
  return { ledgers, stations, open: open.map(({ folder }) => folder), unknown };
}

/** Whether a name, or a run's name within folders, stays below the folder in which it is written. */
const isFileName = (name: string): boolean => name.split("/").every((part) => /^(?!\.\.?$)[^\\:\p{Cc}]+$/u.test(part));

async function writeStation(store: Statements, one: StoredLedger, folder: string): Promise<StationFolder> {
  const lines = await linesOf(store, one);
  await writeLines(`${folder}/${STATION_FILES.events}`, chained([one.declaration, ...lines(EVENTS)]));
  await writeLines(`${folder}/${STATION_FILES.calls}`, chained(lines(CALLS)));
  const unanswered = chained(lines(UNANSWERED));
  if (unanswered !== "") await writeLines(`${folder}/${STATION_FILES.unanswered}`, unanswered);
  return await readStationFolder(folder);
}

/** Writes a file of lines, unless it holds one that the text lacks: that may have been paid for. */
async function writeLines(path: string, text: string): Promise<string> {
  if (!await missing(path)) {
    const known = new Set(bodies(text));
    const stray = bodies(await readText(path)).findIndex((line) => !known.has(line));
    if (stray >= 0) {
      throw new UserError(
        `${path}: line ${stray + 1} is not in the store, so the file is left as it is; use another --out`,
      );
    }
  }
  writeWhole(path, text);
  return path;
}

/** Lines without what their place in the file gives them; the declaration may name more runs than before. */
const bodies = (text: string): string[] =>
  text.split("\n").filter((line) => line !== "").map((line) => {
    const { n: _, check: __, target: ___, ...body } = JSON.parse(line);
    return JSON.stringify(body);
  });

async function writeUnknown(store: Statements, sweep: string, out: string): Promise<number> {
  const rows = await store.query<Record<string, unknown>>(
    `select ledger.name as ledger, replicate, place, model, call.worker, began as at,
       coalesce(cost, at_most)::float as "usdAtMost"
     from call join run on run.id = call.run join ledger on ledger.id = run.ledger
     where call.sweep = $1 and call.state = 'unknown' order by began, call.id`,
    [sweep],
  );
  if (rows.length === 0) return 0;
  const text = rows.map((row) => `${JSON.stringify({ schema: "unknown-call/1", ...row })}\n`).join("");
  writeWhole(`${out}/${UNKNOWN_CALLS}`, text);
  return rows.length;
}
