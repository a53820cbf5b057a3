import { Buffer } from "node:buffer";
import { sum } from "d3-array";
import { canonicalJson } from "../core/json.ts";
import { UserError } from "../core/user_error.ts";
import type { ChatModel, Unanswered } from "../model/chat_model.ts";
import { recording, ReplayMismatch } from "../model/replay.ts";
import type { ModelCall } from "../schema/model_call.ts";
import type { Mosaic } from "../schema/mosaic.ts";
import type { StationEvent } from "../schema/station_event.ts";
import { contentOf, missing, writeWhole } from "../record/files.ts";
import { refuseOtherPlan } from "../record/ledger_rules.ts";
import { LedgerWriter } from "../record/ledger_writer.ts";
import { checkRun, endMissing, isLost, isLostCall, refuseOtherRules } from "./read_station_folder.ts";
import { callsUsed } from "./run_station.ts";
import {
  keptName,
  readStationCalls,
  readStationLog,
  readStationLogIfBegun,
  readUnansweredLines,
  STATION_FILES,
  type StationHeader,
  type StationUnanswered,
} from "./station_files.ts";
import { type CallKey, recorded, type RunKey, type RunStore, triesOf } from "../record/run_store.ts";
import { chained } from "../record/seal.ts";
import { SentTries, type SentTry } from "../record/sent_tries.ts";

export interface OpenStationOptions {
  /** Folder of the one run. */
  readonly folder: string;
  readonly rules: Mosaic;
  /** Opens again, in a live run of an older version, the slots that the clerk filled because the endpoint failed. */
  readonly reopen?: boolean | undefined;
  /** Called with anything that was found in the folder and repaired. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/**
 * One station run in a folder that no other process writes. Events name a call by its place in the file of calls,
 * so that it holds exactly those that were used or are about to be: what a session that was cut off had recorded, but not
 * used yet, answers first in the next one.
 */
export class StationStore implements RunStore<StationEvent>, Disposable {
  readonly #options: OpenStationOptions;
  readonly #log: LedgerWriter;
  #header: StationHeader;
  #events: StationEvent[] = [];
  /** Absent where the run is closed, so that no call can follow. */
  #calls: LedgerWriter | undefined;
  readonly #recorded: ModelCall[] = [];
  /** Recorded, but not yet named by an event. */
  #waiting: ModelCall[] = [];
  #sent: SentTries | undefined;
  /** Tries that have an outcome on record. */
  #booked = 0;
  /** Checksum of the last call without an outcome. */
  #unanswered: string | undefined;
  /** True if the run was closed once, as its summary says. */
  #wasClosed = false;

  private constructor(declared: StationHeader, options: OpenStationOptions) {
    this.#options = options;
    this.#header = declared;
    // Opened before it is read, so that no other process writes between the reading and the resuming.
    this.#log = LedgerWriter.open(this.#path(STATION_FILES.events));
  }

  /**
   * Opens a run's folder, making it where it is not there.
   *
   * @throws {UserError} when another process writes it, when it is of another plan or of other rules (what differs is
   * named), when a line is damaged or an event names a call that is not there, or when it cannot be written.
   */
  static async open(declared: StationHeader, options: OpenStationOptions): Promise<StationStore> {
    const store = new StationStore(declared, options);
    try {
      await store.#resume(declared);
      return store;
    } catch (error) {
      store.close();
      throw error;
    }
  }

  /** The header in the folder: another version may have begun the run. */
  get header(): StationHeader {
    return this.#header;
  }

  get isClosed(): boolean {
    return this.#events.at(-1)?.kind === "run.closed";
  }

  events(): readonly StationEvent[] {
    return this.#events;
  }

  /** The calls of a run that was not closed when it was opened. */
  calls(): readonly ModelCall[] {
    return this.#recorded;
  }

  begin(): Promise<ModelCall | undefined> {
    const call = this.#waiting.shift();
    if (call !== undefined || !this.#wasClosed || !isLive(this.#header)) return Promise.resolve(call);
    throw endMissing(this.#path(STATION_FILES.calls), `remove ${STATION_FILES.summary} to make those calls again`);
  }

  /** Events follow from calls and weather, so they are made safe at the close of a round, and never before their calls. */
  async append(_run: RunKey, event: StationEvent | undefined, call?: ModelCall): Promise<void> {
    // A program can write its replies again.
    const { synthetic } = this.#header;
    if (call) {
      this.#calls!.seal(call);
      this.#recorded.push(call);
      this.#booked += triesOf(call);
      if (!synthetic) await this.#calls!.durable();
    }
    if (!event) return;
    this.#log.seal(event);
    this.#events.push(event);
    if (event.kind !== "run.closed" && (synthetic || event.kind !== "round.closed")) return;
    await this.#calls!.durable();
    await this.#log.durable();
  }

  async giveUp({ place }: CallKey, { code, message, tries }: Unanswered): Promise<void> {
    const at = new Date().toISOString();
    const line: StationUnanswered = { schema: "station-unanswered/1", at, place, code, message, tries: [...tries] };
    using lines = LedgerWriter.open(this.#path(STATION_FILES.unanswered));
    lines.endLastLine();
    lines.check = this.#unanswered;
    lines.seal(line);
    this.#unanswered = lines.check;
    this.#booked += tries.length;
    await lines.durable();
  }

  sending(_run: RunKey, sent: Pick<SentTry, "model" | "atMost">): void {
    this.#sent ??= new SentTries(this.#path(STATION_FILES.calls));
    this.#sent.add({ run: this.#header.run_id, booked: this.#booked, ...sent });
  }

  /**
   * Looks whether the folder still holds what was written.
   *
   * @throws {UserError} where it does not, saying where all of it stands now.
   */
  refuseLoss(): void {
    const losses = [
      this.#log.rescue(() => chained([this.#header, ...this.#events])),
      this.#calls?.rescue(() => chained(this.#recorded)),
    ].filter((loss) => loss !== undefined);
    if (losses.length > 0) throw new UserError(losses.join("\n"));
  }

  /** The council as this run asks it: every call is on record before it is used, and none is asked that is on record. */
  around(
    chat: ChatModel,
    run: RunKey,
    { signal, callSignal = signal }: { signal?: AbortSignal | undefined; callSignal?: AbortSignal | undefined },
  ): ChatModel {
    const kept = recording(chat, (call) => this.append(run, undefined, call));
    const asked = recorded(kept, { store: this, run, signal: callSignal });
    return async (request, options) => {
      const known = this.#waiting[0];
      if (known !== undefined && canonicalJson(known.request) !== canonicalJson(request)) {
        throw new UserError(
          `${
            this.#path(STATION_FILES.calls)
          }: the last call was recorded for another request than the run now makes: ` +
            "another version began it. Finish it with that version, or use another folder",
        );
      }
      try {
        return await asked(request, options);
      } catch (error) {
        if (!(error instanceof ReplayMismatch)) throw error;
        const where = `${this.#options.folder}: the recording does not fit at ${options?.place}`;
        throw new UserError(`${where}: ${error.message}`, { cause: error });
      }
    };
  }

  close(): void {
    this.#log[Symbol.dispose]();
    this.#calls?.[Symbol.dispose]();
    this.#sent?.close(() => this.#booked);
    this.#sent = undefined;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #path(name: string): string {
    return `${this.#options.folder}/${name}`;
  }

  async #resume(declared: StationHeader): Promise<void> {
    const { rules, reopen, onNotice } = this.#options;
    const { path } = this.#log;
    let log = await readStationLogIfBegun(path);
    if (log) {
      refuseOtherPlan(path, headerDifferences(log.header, declared), "use another folder");
      refuseOtherRules(log, rules);
      [this.#header, this.#events] = [log.header, [...log.events]];
    }
    const reopens = reopen && isLive(this.#header) && this.#events.some(({ kind }) => kind === "action.taken");
    const before = reopens ? (await readStationCalls(this.#path(STATION_FILES.calls))).calls : [];
    const lost = reopens ? this.#events.findIndex((event) => isLost(event, before)) : -1;
    // A closed run is checked by whoever reads its folder, and nothing is written to it.
    if (this.isClosed && lost < 0) return;
    const calls = this.#calls = LedgerWriter.open(this.#path(STATION_FILES.calls));
    let found = await readStationCalls(calls.path);
    if (log) checkRun(log, found.calls, rules);
    for (const [lines, torn] of [[this.#log, log?.torn], [calls, found.torn]] as const) {
      const { path } = lines;
      if (lines.endLastLine()) {
        onNotice?.(`${path}: line ${torn?.line ?? 1} was torn off; its bytes are kept in ${path}.torn`);
      }
    }
    if (lost >= 0) {
      this.#keepBeside();
      this.#log.cutBehind(1 + lost);
      onNotice?.(`${path}: opened again at line ${2 + lost}; what stood there is kept beside, under numbers`);
      log = await readStationLog(path);
      this.#events = [...log.events];
    }
    const used = callsUsed(this.#events);
    // Older versions recorded what the endpoint failed to answer as if that were an answer.
    const failed = found.calls.findIndex((call, i) => i >= used && isLostCall(call));
    if (failed >= 0 && isLive(this.#header)) {
      keepCopy(this.#options.folder, STATION_FILES.calls);
      calls.cutBehind(failed);
      found = await readStationCalls(calls.path);
    }
    const unanswered = await readUnansweredLines(this.#path(STATION_FILES.unanswered));
    this.#unanswered = unanswered.check;
    this.#wasClosed = !await missing(this.#path(STATION_FILES.summary));
    [this.#log.check, calls.check, this.#waiting] = [log?.check, found.check, found.calls.slice(used)];
    this.#recorded.push(...found.calls);
    this.#booked = bookedCalls(found.calls, unanswered.values);
    if (log) return;
    this.#log.seal(declared);
    await this.#log.durable();
  }

  /** Copies first: what is cut off was paid for, and what the clerk made of it stays to be seen. */
  #keepBeside(): void {
    const { events, calls, summary, recap } = STATION_FILES;
    for (const name of [events, calls, summary, recap]) {
      const there = keepCopy(this.#options.folder, name);
      if (there && (name === summary || name === recap)) Deno.removeSync(this.#path(name));
    }
  }
}

/** Tries of a run that have an outcome on record. */
export const bookedCalls = (calls: readonly ModelCall[], unanswered: readonly StationUnanswered[]): number =>
  sum(calls, triesOf) + sum(unanswered, ({ tries }) => tries.length);

/** True if the endpoint that failed is asked again: a recording or a program would only repeat itself. */
const isLive = ({ synthetic, identity }: StationHeader): boolean => !synthetic && !identity?.startsWith("replay:");

/**
 * Keeps a file's content under the next number that is free; once is enough, so that a kill in between does no harm.
 *
 * @returns whether there is such a file.
 */
function keepCopy(folder: string, name: string): boolean {
  const content = contentOf(`${folder}/${name}`);
  if (content === undefined) return false;
  for (let n = 1;; n++) {
    const path = `${folder}/${keptName(name, n)}`;
    const before = contentOf(path);
    if (before === undefined) writeWhole(path, content);
    if (before === undefined || Buffer.compare(before, content) === 0) return true;
  }
}

const PLAN = ["run_id", "council", "synthetic", "seed", "replicate", "ruleset", "asked"] as const;

/** Every value of the plan in which a folder's run differs from this one, in words; older files do not tell the endpoint. */
export const headerDifferences = (before: StationHeader, now: StationHeader): string[] =>
  [...PLAN, ...(before.identity && now.identity ? ["identity"] as const : [])]
    .filter((field) => canonicalJson(before[field]) !== canonicalJson(now[field]))
    .map((field) => `${field}: there ${canonicalJson(before[field])}, now ${canonicalJson(now[field])}`);
