import { canonicalJson } from "../core/json.ts";
import { UserError } from "../core/user_error.ts";
import type { ModelCall } from "../schema/model_call.ts";
import { type Mosaic, rulesHash } from "../schema/mosaic.ts";
import type { StationEvent } from "../schema/station_event.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import { applyEvent } from "../station/apply_event.ts";
import { advanceProgress, nextStationStep, PROGRESS, type StationStep } from "../station/next_station_step.ts";
import { reread } from "../station/reread.ts";
import { RULES } from "../station/rules.ts";
import { eventOfStep } from "../station/run_station.ts";
import { initialState } from "../station/state.ts";
import { summarise, type SummaryLabels } from "../station/summary.ts";
import { weather } from "../station/weather.ts";
import type { TornLine } from "./read_ledger.ts";
import { readStationCalls, readStationLog, readStationSummary, type StationLog } from "./read_station_run.ts";
import { STATION_FILES, type StationHeader } from "./station_files.ts";

/** The first event that the station cannot have brought forth after those before it. */
export interface ProtocolFlaw {
  /** Counted from 0; one past the last where the run goes on too long. */
  readonly index: number;
  /** Continues a sentence that names the line. */
  readonly why: string;
}

type ActionTaken = Extract<StationEvent, { kind: "action.taken" }>;

/**
 * Checks a run's events, finished or not, against the order of business: everything but the council's own turns follows
 * from what came before and must be exactly that; a turn must be its role's, and its calls the next ones.
 *
 * @returns the first flaw; undefined where there is none. What a missing, doubled, exchanged or edited line looks like.
 */
export function protocolFlaw(events: readonly StationEvent[], rules: Mosaic = RULES): ProtocolFlaw | undefined {
  const opening = events[0];
  if (opening === undefined) return undefined;
  if (opening.kind !== "run.opened") return { index: 0, why: `is ${opening.kind}, where run.opened must stand` };
  const { seed, ruleset } = opening;
  const card = weather(seed, rules);
  let state = initialState(rules);
  let progress = PROGRESS;
  let calls = 0;
  for (const [index, event] of events.entries()) {
    const step = nextStationStep(state, progress, progress.opened ? card : undefined, rules.rounds);
    if (step.kind === "done") return { index, why: `is ${event.kind}, though the run is closed` };
    const why = step.kind === "slot"
      ? slotFlaw(event, step, state.round, calls)
      : happeningFlaw(event, eventOfStep(step, state, { seed, ruleset, card, rules }));
    if (why !== undefined) return { index, why };
    if (event.kind === "action.taken") calls += event.origin.calls.length;
    state = applyEvent(state, event, rules);
    progress = advanceProgress(progress, event);
  }
  return undefined;
}

function slotFlaw(
  event: StationEvent,
  { role }: Extract<StationStep, { kind: "slot" }>,
  round: number,
  calls: number,
): string | undefined {
  if (event.kind !== "action.taken" || event.role !== role || event.round !== round) {
    const found = event.kind === "action.taken" ? `the turn of ${event.role} in round ${event.round}` : event.kind;
    return `is ${found}, where the turn of ${role} in round ${round} must stand`;
  }
  return callsFlaw(event, calls);
}

function callsFlaw({ origin }: ActionTaken, calls: number): string | undefined {
  const next = origin.calls.map((_, i) => calls + i);
  if (origin.calls.join() === next.join()) return undefined;
  return `names the calls ${origin.calls.join(", ")}, where ${next.join(", ")} would be next`;
}

function happeningFlaw(event: StationEvent, expected: StationEvent): string | undefined {
  if (canonicalJson(event) === canonicalJson(expected)) return undefined;
  if (event.kind !== expected.kind) return `is ${event.kind}, where ${expected.kind} must stand`;
  const [found, due] = [event, expected] as unknown as Record<string, unknown>[];
  const keys = [...new Set([...Object.keys(found!), ...Object.keys(due!)])];
  const field = keys.find((key) => canonicalJson(found![key]) !== canonicalJson(due![key]))!;
  return `(${event.kind}) has another ${field} than follows from the lines before it`;
}

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
  const hash = rulesHash(rules);
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
