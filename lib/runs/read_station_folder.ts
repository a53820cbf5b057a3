import { canonicalJson } from "../core/json.ts";
import { UserError } from "../core/user_error.ts";
import type { ModelCall } from "../schema/model_call.ts";
import { type Mosaic, rulesHash } from "../schema/mosaic.ts";
import { UNGOVERNED } from "../schema/quality_names.ts";
import type { StationEvent } from "../schema/station_event.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import { applyEvent } from "../station/apply_event.ts";
import { advanceProgress, nextStationStep, PROGRESS, type StationStep } from "../station/next_station_step.ts";
import { reread } from "../station/reread.ts";
import { RULES } from "../station/rules.ts";
import { eventOfStep, opens } from "../station/run_station.ts";
import { initialState } from "../station/state.ts";
import { summarise } from "../station/summary.ts";
import { weather } from "../station/weather.ts";
import type { TornLine } from "./read_ledger.ts";
import {
  missing,
  readStationCalls,
  readStationLog,
  readStationSummary,
  readStationUnanswered,
  type StationLog,
} from "./read_station_run.ts";
import {
  keptName,
  STATION_EVENTS_SCHEMA,
  STATION_FILES,
  type StationHeader,
  type StationUnanswered,
} from "./station_files.ts";

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
  const fresh = { ...opening, card: weather(opening.seed, rules) };
  let state = initialState(rules);
  let progress = PROGRESS;
  let calls = 0;
  for (const [index, event] of events.entries()) {
    const step = nextStationStep(state, progress, progress.opened ? fresh.card : undefined, rules.rounds);
    if (step.kind === "done") return { index, why: `is ${event.kind}, though the run is closed` };
    const why = step.kind === "slot"
      ? slotFlaw(event, step, state.round, calls)
      : happeningFlaw(event, eventOfStep(step, state, { opening: fresh, rules }));
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
  /** Calls that the endpoint left without an outcome, in all sessions. */
  readonly unanswered: readonly StationUnanswered[];
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
  const unanswered = await readStationUnanswered(`${folder}/${STATION_FILES.unanswered}`);
  const summary = await summaryOf(folder, log, rules);
  if (summary) {
    checkTurns(log, calls, rules);
    await checkSummary(`${folder}/${STATION_FILES.summary}`, summary, log.header);
  }
  const found = [[STATION_FILES.events, log.torn], [STATION_FILES.calls, torn]] as const;
  return {
    folder,
    header: log.header,
    events: log.events,
    calls,
    unanswered,
    ...(summary && { summary }),
    torn: found.flatMap(([file, line]) => (line ? [{ file, ...line }] : [])),
  };
}

/** The summary that a log gives; undefined while its run is not closed. */
async function summaryOf(folder: string, log: StationLog, rules: Mosaic): Promise<StationSummary | undefined> {
  const { header: { run_id: runId, council: model, synthetic, made }, events } = log;
  if (events.at(-1)?.kind !== "run.closed") return undefined;
  return summarise(events, { runId, model, synthetic, reopened: await reopenedSlots(folder, log), made }, rules);
}

/** Whether the clerk filled a slot because the endpoint failed: no outcome of the council's. */
export const isLost = (event: StationEvent): boolean =>
  event.kind === "action.taken" && event.origin.kind === "fallback" && LOST_CAUSES.has(event.origin.cause);

/** Failures that are not the model's doing, and that waiting mends. */
export const LOST: ReadonlySet<string> = new Set(["rate_limit", "server", "network", "timeout", "protocol"]);
const LOST_CAUSES: ReadonlySet<string> = new Set([...LOST].map((code) => `model_error:${code}`));

/** How many slots of a run were opened again: those lost in the files that are kept beside it, and no more in its own. */
async function reopenedSlots(folder: string, { events }: StationLog): Promise<number> {
  const lost = (events: readonly StationEvent[]) => events.filter(isLost).length;
  for (let [n, slots] = [1, 0];; n++) {
    const path = `${folder}/${keptName(STATION_FILES.events, n)}`;
    if (await missing(path)) return Math.max(0, slots - lost(events));
    slots += lost((await readStationLog(path)).events);
  }
}

/** How many calls are named by events. */
export const callsUsed = (events: readonly StationEvent[]): number =>
  events.reduce((sum, event) => sum + (event.kind === "action.taken" ? event.origin.calls.length : 0), 0);

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
  if (opening?.kind === "run.opened" && !opens(opening, header)) {
    throw new UserError(`${path}: line 2 opens a run of another seed, ruleset or replicate than line 1 declares`);
  }
  const flaw = protocolFlaw(events, rules);
  if (flaw === undefined) return;
  throw new UserError(
    `${path}: line ${flaw.index + 2} ${flaw.why}: a line is missing, doubled or was changed; restore it from a copy`,
  );
}

/** A finished run's words, read again by its own ruleset, must give its own events. */
function checkTurns({ path, header, events }: StationLog, calls: readonly ModelCall[], rules: Mosaic): void {
  const needed = callsUsed(events);
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

async function checkSummary(path: string, due: StationSummary, { schema }: StationHeader): Promise<void> {
  if (await missing(path)) return;
  const found = await readStationSummary(path);
  // Older versions gave a run whose models filled no slot one of the five classes.
  const older = schema !== STATION_EVENTS_SCHEMA && due.classification === UNGOVERNED;
  if (older) due = { ...due, classification: found.classification };
  const field = (Object.keys(due) as (keyof StationSummary)[]).find((key) =>
    canonicalJson(found[key]) !== canonicalJson(due[key])
  );
  if (field === undefined) return;
  throw new UserError(
    `${path}: ${field} is not what ${STATION_FILES.events} gives; the file was changed, remove it and run again to have ` +
      "it written anew",
  );
}
