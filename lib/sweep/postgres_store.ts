import { setTimeout as delay } from "node:timers/promises";
import { money, Tariff } from "../model/budget.ts";
import { type Purse, type Settle, Unanswered } from "../model/chat_model.ts";
import type { Prices } from "../model/cost.ts";
import type { LedgerEntry } from "../schema/ledger_line.ts";
import type { ChatRequest, ModelCall } from "../schema/model_call.ts";
import { askedOf, type Providers } from "../schema/providers.ts";
import type { StationEvent } from "../schema/station_event.ts";
import { closingOf, type RunEvent } from "../record/protocol.ts";
import { known } from "../core/options.ts";
import { ledgerEntry, type LineKey, unansweredCall } from "../record/ledger_store.ts";
import type { CallKey, RunKey, RunStore } from "../record/run_store.ts";
import type { StationUnanswered } from "../station/station_files.ts";
import { callsUsed } from "../station/run_station.ts";
import { batched } from "./batched.ts";
import { QUEUE_SCHEMA, type Statements } from "./database.ts";
import { type Limits, type SharedPace, sharedPace } from "./shared_pace.ts";

/** The run was taken over by another worker: later writes of this one are dropped. */
export class Fenced extends Error {
  override readonly name = "Fenced";
}

/** A try to be recorded before it is sent. */
interface Intent {
  readonly id: string;
  readonly sweep: string;
  readonly run: number;
  readonly fence: number;
  readonly place: string;
  readonly model: string;
  readonly worker: string;
  /** US$; absent where the model has no price. */
  readonly atMost?: number | undefined;
}

/** The outcome of a try, and the lines that belong to it. */
interface Outcome {
  readonly run: number;
  readonly fence: number;
  readonly call?: string | undefined;
  readonly outcome?: "answered" | "failed" | undefined;
  readonly cost?: number | undefined;
  readonly lines: readonly { readonly file: string; readonly n: number; readonly text: string }[];
  /** State in which it leaves the run. */
  readonly state?: "closed" | "open" | "flagged" | undefined;
  readonly cause?: string | undefined;
}

/** A try that brought a reply. */
type Paid = Pick<Outcome, "call" | "outcome" | "cost">;

interface DeskOptions {
  readonly sweep: string;
  /** The name of this worker in the store. */
  readonly worker: string;
  readonly providers: Providers;
  readonly terms: DeskTerms;
}

/** The terms that calls are paid for and paced by. */
export interface DeskTerms {
  /** Prices by model; null for a model without any. */
  readonly prices: Readonly<Record<string, Prices[string] | null>>;
  /** Limits a minute, by provider. */
  readonly limits: Readonly<Record<string, Limits>>;
}

/** Interval at which a worker that waits for money looks for lost runs, in milliseconds. */
const LOST_MS = 5000;
/** Interval at which a worker that waits for money asks whether another has returned some, in milliseconds. */
const SHORT_MS = 250;

/** One worker's part in one sweep: its tries are paid for, paced and settled here, those of all its runs together. */
export class Desk {
  readonly settle: (outcome: Outcome) => Promise<void>;
  readonly #options: DeskOptions;
  readonly #store: Statements;
  readonly #begin: (intent: Intent) => Promise<Verdict>;
  #terms: DeskTerms = { prices: {}, limits: {} };
  #tariff = new Tariff({});
  /** By provider that has limits a minute. */
  #paces: ReadonlyMap<string, SharedPace> = new Map();
  #lookedMs = -Infinity;

  constructor(store: Statements, options: DeskOptions) {
    [this.#store, this.#options] = [store, options];
    this.follow(options.terms);
    this.#begin = batched(async (items: readonly Intent[]) => {
      type Row = { id: string; verdict: Verdict };
      const rows = await store.query<Row>("select * from begin_calls($1)", [JSON.stringify(items)]);
      const verdicts = new Map(rows.map(({ id, verdict }) => [id, verdict]));
      return items.map(({ id }) => verdicts.get(id)!);
    });
    const end = batched(async (items: readonly Outcome[]) => {
      type Row = { i: string; verdict: "kept" | "fenced" };
      const rows = await store.query<Row>("select * from end_calls($1)", [JSON.stringify(items)]);
      return rows.sort((a, b) => Number(a.i) - Number(b.i)).map(({ verdict }) => verdict);
    });
    this.settle = async (outcome) => {
      if (await end(outcome) === "fenced") throw new Fenced();
    };
  }

  /** Goes by these terms from here on. */
  follow(terms: DeskTerms): void {
    if (JSON.stringify(terms) === JSON.stringify(this.#terms)) return;
    const priced = Object.entries(terms.prices).filter((one): one is [string, Prices[string]] => one[1] !== null);
    const limited = Object.entries(terms.limits).filter(([, one]) => one.requestsPerMinute ?? one.tokensPerMinute);
    [this.#terms, this.#tariff] = [terms, new Tariff(Object.fromEntries(priced))];
    this.#paces = new Map(limited.map(([name, limits]) => [name, sharedPace(name, limits, this.#store)]));
  }

  /**
   * Pays for the tries of one run: each is on record before it is sent. `onReply` keeps a try's outcome for its event.
   *
   * @param free whether a program is asked.
   */
  purse({ run, fence, free }: ClaimKey, onReply: (paid: Paid) => void): Purse {
    const claim = { run, fence };
    return {
      reserve: async (request, { place = "", ...options } = {}): Promise<Settle> => {
        const signal = AbortSignal.any([options.signal, options.ebb].filter((one) => one !== undefined));
        const pace = this.#paces.get(askedOf(request.model, this.#options.providers).provider);
        let permit = await pace?.(request, signal);
        const call = crypto.randomUUID();
        const atMost = free ? 0 : this.#costAtMost(request);
        await this.#paid({ ...claim, id: call, place, atMost, model: request.model }, signal);
        try {
          while (permit?.isStale()) permit = await pace!(request, signal);
        } catch (error) {
          // It was never sent.
          await this.settle({ ...claim, call, outcome: "failed", cost: 0, lines: [] });
          throw error;
        }
        return async (bill, outcome) => {
          permit?.correct(bill);
          const cost = atMost === undefined || free ? atMost : this.#tariff.costOf(request, bill, atMost);
          if (outcome === "answered") onReply({ call, outcome, cost });
          else await this.settle({ ...claim, call, outcome, cost, lines: [] });
        };
      },
    };
  }

  async #paid(intent: Omit<Intent, "sweep" | "worker">, signal: AbortSignal | undefined): Promise<void> {
    const { sweep, worker } = this.#options;
    for (;;) {
      const verdict = await this.#begin({ ...intent, sweep, worker });
      if (verdict === "go") return;
      if (verdict === "fenced") throw new Fenced();
      if (verdict === "stop") throw await this.#stop(intent);
      if (await this.#bookLost() === 0) await delay(SHORT_MS, undefined, { signal });
    }
  }

  /**
   * Books the tries of lost runs, which no worker would take up while all wait for money: their outcome is unknown and they
   * count at their maximum, so that no worker waits for them to return some of it.
   */
  async #bookLost(): Promise<number> {
    if (performance.now() < this.#lookedMs + LOST_MS) return 0;
    this.#lookedMs = performance.now();
    const lost = await this.#store.query(
      `update call set state = 'unknown', ended = clock_timestamp() where sweep = $1 and state = 'sent' and not exists (
         select from ${QUEUE_SCHEMA}.job where job.state = 'active' and data ->> 'run' = call.run::text
       ) returning id`,
      [this.#options.sweep],
    );
    return lost.length;
  }

  async #stop({ model, atMost = 0 }: Pick<Intent, "model" | "atMost">): Promise<Unanswered> {
    const { sweep } = this.#options;
    const [row] = await this.#store.query<Record<"cap" | "spent" | "doubt" | "unknown", number>>(
      `select cap::float, set_aside::float as spent, coalesce(sum(at_most), 0)::float as doubt, count(id)::int as unknown
       from sweep left join call on call.sweep = name and state = 'unknown' and cost is null where name = $1 group by name`,
      [sweep],
    );
    const { cap, spent, doubt, unknown } = row!, missing = Math.max(0, spent + atMost - cap);
    const ofIt = unknown === 0 ? "" : `, of it ${money(doubt)} at most for ${unknown} calls whose outcome is unknown`;
    const words = `US$ ${money(spent)} of US$ ${money(cap)} are spent${ofIt}, and the next call of ${model} can cost ` +
      `US$ ${money(atMost)}: US$ ${money(missing)} are missing`;
    const remedy = `run ${sweep} again with a larger --budget-usd: it resumes from here`;
    return new Unanswered("budget_stop", `${words}; ${remedy}`, { scope: "endpoint", tries: [] });
  }

  #costAtMost(request: ChatRequest): number | undefined {
    const { prices } = this.#terms;
    return Object.hasOwn(prices, request.model) && prices[request.model] ? this.#tariff.costAtMost(request) : undefined;
  }
}

/** The files that a run's lines belong to; a committee has but one. */
export const [EVENTS, CALLS, UNANSWERED] = ["events", "calls", "unanswered"];

type Verdict = "go" | "wait" | "stop" | "fenced";

type ClaimKey = Pick<Claim, "run" | "fence"> & { readonly free: boolean };

/** A run that this worker holds, until a later fence. */
export interface Claim extends RunKey {
  readonly run: number;
  readonly fence: number;
  /** Its lines when it was taken, by file. */
  readonly lines: Readonly<Record<string, readonly string[]>>;
}

/** Form in which a record keeps a run: the lines of an event and of an unanswered call, and the file of each. */
export interface LineForm<Event> {
  readonly event: (event: Event, run: RunKey) => object;
  /** The event of a line; undefined where it holds something else. */
  readonly eventOf: (line: unknown) => Event | undefined;
  readonly unanswered: (call: CallKey, why: Unanswered) => { readonly file: string; readonly line: object };
  /** Number of recorded calls that the events name, in records that keep calls in a file of their own. */
  readonly callsUsed?: ((events: readonly Event[]) => number) | undefined;
}

/** The lines of a ledger, without number and checksum: an event holds its reply. */
export const ledgerForm = <Event extends RunEvent>(
  keyOf: (run: RunKey) => LineKey,
): LineForm<Event> => ({
  event: (event, run) => ledgerEntry(keyOf(run), event),
  eventOf(line) {
    const { kind, event } = line as LedgerEntry<Event>;
    return kind === "event" ? event : undefined;
  },
  unanswered: (call, why) => ({ file: EVENTS, line: unansweredCall(keyOf(call), call.place, why) }),
});

/** The lines of a station's folder. A call is on record before an event names it: the next claim uses it. */
export const folderForm: LineForm<StationEvent> = {
  event: (event) => event,
  eventOf: (line) => line as StationEvent,
  unanswered({ place }, { code, message, tries }) {
    const at = new Date().toISOString();
    const line: StationUnanswered = { schema: "station-unanswered/1", at, place, code, message, tries: [...tries] };
    return { file: UNANSWERED, line };
  },
  callsUsed,
};

/** A run in a store, as one claim holds it. */
export class PostgresRun<Event extends RunEvent> implements RunStore<Event> {
  readonly #desk: Desk;
  readonly #claim: Claim;
  readonly #form: LineForm<Event>;
  readonly #events: readonly Event[];
  /** Calls on record that no event names yet. */
  readonly #waiting: ModelCall[];
  readonly #counts: Record<string, number>;
  readonly #purse: Purse;
  /** A reply that came in and stands in no line yet. */
  #paid: Paid = {};

  /** @param options `free`: whether a program is asked. */
  constructor(claim: Claim, desk: Desk, { form, free }: { readonly form: LineForm<Event>; readonly free: boolean }) {
    [this.#claim, this.#desk, this.#form] = [claim, desk, form];
    this.#counts = Object.fromEntries(Object.entries(claim.lines).map(([file, lines]) => [file, lines.length]));
    this.#events = (claim.lines[EVENTS] ?? []).flatMap((text) => form.eventOf(JSON.parse(text)) ?? []);
    const used = form.callsUsed?.(this.#events);
    this.#waiting = (claim.lines[CALLS] ?? []).slice(used).map((text) => JSON.parse(text));
    this.#purse = desk.purse({ ...claim, free }, (paid) => void (this.#paid = paid));
  }

  events(): readonly Event[] {
    return this.#events;
  }

  begin(): Promise<ModelCall | undefined> {
    return Promise.resolve(this.#waiting.shift());
  }

  /** Pays for the tries of this run. */
  purse(): Purse {
    return this.#purse;
  }

  async append(run: RunKey, event: Event | undefined, call?: ModelCall): Promise<void> {
    if (call) await this.#write(CALLS, call);
    if (event) await this.#write(EVENTS, this.#form.event(event, run), endOf(event));
  }

  giveUp(call: CallKey, why: Unanswered): Promise<void> {
    const { file, line } = this.#form.unanswered(call, why);
    return this.#write(file, line);
  }

  /** Ends the work on a run that stays open, or is closed for a permanent cause. */
  leave(state: "open" | "flagged", cause: string): Promise<void> {
    const { run, fence } = this.#claim;
    return this.#desk.settle({ run, fence, lines: [], state, cause });
  }

  /** Appends a line, with the try that brought it. */
  async #write(file: string, line: object, ends: Pick<Outcome, "state" | "cause"> = {}): Promise<void> {
    const { run, fence } = this.#claim, n = this.#counts[file] ?? 0, paid = this.#paid;
    this.#paid = {};
    await this.#desk.settle({ run, fence, ...paid, ...ends, lines: [{ file, n, text: JSON.stringify(line) }] });
    this.#counts[file] = n + 1;
  }
}

function endOf(event: RunEvent): Pick<Outcome, "state" | "cause"> {
  const closing = closingOf(event);
  return closing === undefined ? {} : { state: "closed", ...known({ cause: closing.cause }) };
}
