import { canonicalJson, contentHash } from "../core/canonical_json.ts";
import { UserError } from "../core/user_error.ts";
import type { ModelCall } from "../schema/model_call.ts";
import type { Mosaic } from "../schema/mosaic.ts";
import type { StationEvent } from "../schema/station_event.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import { reread } from "../station/reread.ts";
import { RULES } from "../station/rules.ts";
import { summarise, type SummaryLabels } from "../station/summary.ts";
import type { TornLine } from "../storage/read_ledger.ts";
import { STATION_FILES } from "../storage/station_files.ts";
import type { StationHeader } from "../storage/station_header.ts";
import { readStationCalls, readStationLog, readStationSummary, type StationLog } from "../storage/station_run.ts";
import { protocolFlaw } from "./station_protocol.ts";

/** A station run as its folder holds it. */
export interface StationFolder {
  readonly folder: string;
  readonly header: StationHeader;
  readonly events: readonly StationEvent[];
  readonly calls: readonly ModelCall[];
  /** From the events; absent while the run is not closed. */
  readonly summary?: StationSummary;
  /** Torn last lines, skipped. */
  readonly torn: readonly (TornLine & { readonly file: string })[];
}

/**
 * Reads one run folder and checks it against itself: the events follow the order of business, a finished run's turns
 * are what its calls read as, and `final_summary.json`, where it is there, is what the events give.
 *
 * @throws {UserError} naming file, line and rule.
 */
export async function readStationFolder(folder: string, rules: Mosaic = RULES): Promise<StationFolder> {
  const log = await readStationLog(`${folder}/${STATION_FILES.events}`);
  refuseOtherRules(log, rules);
  checkProtocol(log, rules);
  const { calls, torn } = await readStationCalls(`${folder}/${STATION_FILES.calls}`);
  const summary = summaryOf(log, rules);
  if (summary) {
    checkTurns(log, calls, rules);
    await checkSummary(`${folder}/${STATION_FILES.summary}`, summary);
  }
  const found = [[STATION_FILES.events, log.torn], [STATION_FILES.calls, torn]] as const;
  return {
    folder,
    header: log.header,
    events: log.events,
    calls,
    ...(summary && { summary }),
    torn: found.flatMap(([file, line]) => (line ? [{ file, ...line }] : [])),
  };
}

/** What a header says for the summary. */
export const labelsOf = ({ run_id, council, synthetic, made }: StationHeader): SummaryLabels => ({
  runId: run_id,
  model: council,
  synthetic,
  made,
});

/** The summary that a log gives; undefined while its run is not closed. */
export function summaryOf({ header, events }: StationLog, rules: Mosaic = RULES): StationSummary | undefined {
  return events.at(-1)?.kind === "run.closed" ? summarise(events, labelsOf(header), rules) : undefined;
}

/** Throws a UserError where a log was made under other rules: its numbers would mean something else here. */
export function refuseOtherRules({ path, header }: StationLog, rules: Mosaic): void {
  const hash = contentHash(rules);
  if (header.rules === hash) return;
  throw new UserError(
    `${path}: was made under other rules (${header.rules.slice(0, 12)}, now ${
      hash.slice(0, 12)
    }); read it with the version that wrote it`,
  );
}

/** Throws a UserError naming the first line that does not follow from those before it. */
export function checkProtocol({ path, header, events }: StationLog, rules: Mosaic): void {
  const opening = events[0];
  if (opening?.kind === "run.opened") {
    const same = opening.seed === header.seed && opening.ruleset.schemaShown === header.ruleset.schemaShown &&
      opening.ruleset.normaliser === header.ruleset.normaliser;
    if (!same) throw new UserError(`${path}: line 2 opens a run of another seed or ruleset than line 1 declares`);
  }
  const flaw = protocolFlaw(events, rules);
  if (flaw === undefined) return;
  throw new UserError(
    `${path}: line ${flaw.index + 2} ${flaw.why}: a line is missing, doubled or was changed; restore it from a copy`,
  );
}

/** A finished run's words, read again by its own ruleset, must give its own events. */
function checkTurns({ path, header, events }: StationLog, calls: readonly ModelCall[], rules: Mosaic): void {
  const needed = events.reduce(
    (sum, event) => sum + (event.kind === "action.taken" ? event.origin.calls.length : 0),
    0,
  );
  if (calls.length !== needed) {
    throw new UserError(
      `${path}: names ${needed} calls, but ${STATION_FILES.calls} beside it holds ${calls.length}; restore it from a copy`,
    );
  }
  const again = reread({ events, calls }, header.ruleset, rules).events;
  // What is read from a file has its keys in the schema's order, what is made anew in the order of making.
  const index = events.findIndex((event, i) => canonicalJson(event) !== canonicalJson(again[i]));
  if (index < 0) return;
  throw new UserError(
    `${path}: line ${index + 2} is not what the calls in ${STATION_FILES.calls} read as: one of the two files was ` +
      `changed, or another version of this library (${header.made.library}) read the replies`,
  );
}

async function checkSummary(path: string, due: StationSummary): Promise<void> {
  if (await missing(path)) return;
  const found = await readStationSummary(path);
  const field = (Object.keys(due) as (keyof StationSummary)[]).find((key) =>
    canonicalJson(found[key]) !== canonicalJson(due[key])
  );
  if (field === undefined) return;
  throw new UserError(
    `${path}: ${field} is not what ${STATION_FILES.events} gives; the file was changed, remove it and run again to have ` +
      "it written anew",
  );
}

async function missing(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return false;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true;
    throw new UserError(`${path}: cannot be read (${(error as Error).message})`, { cause: error });
  }
}
