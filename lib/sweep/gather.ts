import { UserError } from "../core/user_error.ts";
import { listStations } from "../live/station_batch.ts";
import { finishStationFolder, type StationFolderRun } from "../live/run_station_folder.ts";
import { missing, readText, writeWhole } from "../record/files.ts";
import { chained } from "../record/seal.ts";
import { readStationFolder, type StationFolder } from "../station/read_station_folder.ts";
import { STATION_FILES } from "../station/station_files.ts";
import type { Database, Statements } from "./database.ts";
import { CALLS, DECLARED, EVENTS, SESSIONS, UNANSWERED } from "./postgres_store.ts";
import { ledgersOf, linesOf, storedLedgerText } from "./read_store.ts";
import type { StoredLedger } from "./sweeps.ts";

/** The calls with an unknown outcome, beside the ledgers: they may have been paid for. */
const UNKNOWN_CALLS = "unknown_calls.jsonl";

/**
 * Writes a sweep as files: ledgers, or folders of the station with their manifests, in the order of declaration. Files of an
 * earlier gathering are replaced by their continuation.
 *
 * @returns the paths of `ledgers`, the finished runs of the station as `stations`, the folders of those left `open`, and how
 * many calls are `unknown`: their worker died before an outcome was recorded.
 * @throws {UserError} where a file there holds a line that the store does not have: it is left as it is; where it cannot be
 * written; and, before anything is written, where the store names a ledger by what is no file name.
 */
export async function gather(database: Database, sweep: string, out: string) {
  const stored = await ledgersOf(database, sweep);
  const stray = stored.find(({ name }) => !isFileName(name));
  if (stray) {
    const what = `${database.shown}: ${sweep} holds a ledger ${JSON.stringify(stray.name)}, which is no file name`;
    throw new UserError(`${what}; nothing was written`);
  }
  const ledgers: string[] = [];
  const folders: StationFolder[] = [];
  for (const one of stored) {
    if ("run_id" in one.declaration) folders.push(await writeStation(database, one, `${out}/${one.name}`));
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
    await listStations(root, { finished, open: unfinished });
  }
  const unknown = await writeUnknown(database, sweep, out);
  return { ledgers, stations, open: open.map(({ folder }) => folder), unknown };
}

/** True if a name, or a run's name within folders, stays below the folder in which it is written. */
const isFileName = (name: string): boolean => name.split("/").every((part) => /^(?!\.\.?$)[^\\:\p{Cc}]+$/u.test(part));

async function writeStation(store: Statements, one: StoredLedger, folder: string): Promise<StationFolder> {
  const lines = await linesOf(store, one), [first = one.declaration] = lines(DECLARED), sessions = lines(SESSIONS);
  const told = sessions.map((line) => `${JSON.stringify(line)}\n`).join("");
  if (told !== "") await writeLines(`${folder}/${STATION_FILES.sessions}`, told);
  await writeLines(`${folder}/${STATION_FILES.events}`, chained([first, ...lines(EVENTS)]));
  await writeLines(`${folder}/${STATION_FILES.calls}`, chained(lines(CALLS)));
  const unanswered = chained(lines(UNANSWERED));
  if (unanswered !== "") await writeLines(`${folder}/${STATION_FILES.unanswered}`, unanswered);
  return await readStationFolder(folder);
}

/** Writes a file of lines, unless it holds one that the text lacks: that may have been paid for. */
async function writeLines(path: string, text: string): Promise<string> {
  if (!await missing(path)) {
    const known = new Set(bodies(text));
    const stray = 1 + bodies(await readText(path)).findIndex((line) => !known.has(line));
    const words = `${path}: line ${stray} is not in the store, so the file is left as it is; use another --out`;
    if (stray > 0) throw new UserError(words);
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
    `select call.id as call, ledger.name as ledger, replicate, place, model, call.worker, began as at,
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
