import { setTimeout as delay } from "node:timers/promises";
import { money, Tariff } from "../../model/budget.ts";
import { type Purse, type Settle, Unanswered } from "../../model/chat_model.ts";
import type { Prices } from "../../model/cost.ts";
import type { LedgerEntry, UnansweredCall } from "../../schema/ledger_line.ts";
import type { DeliberationEvent } from "../../schema/deliberation_event.ts";
import type { ChatRequest, ModelCall } from "../../schema/model_call.ts";
import { askedOf, type Providers } from "../../schema/providers.ts";
import type { StationEvent } from "../../schema/station_event.ts";
import { ledgerEntry, unansweredCall } from "../ledger_store.ts";
import type { CallKey, RunKey, RunStore } from "../run_store.ts";
import type { StationUnanswered } from "../station_files.ts";
import { callsUsed } from "../read_station_folder.ts";
import { batched } from "./batched.ts";
import { QUEUE_SCHEMA, type Statements } from "./database.ts";
import { SharedPace } from "./shared_pace.ts";
import type { SweepTerms } from "./sweep_terms.ts";

/** The run was taken over by another worker: nothing that this one still writes is kept. */
export class Fenced extends Error {
  override readonly name = "Fenced";
}

/** A try that is to be written down. */
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

/** What became of a try, and lines that belong to it. */
interface Outcome {
  readonly run: number;
  readonly fence: number;
  readonly call?: string | undefined;
  readonly outcome?: "answered" | "failed" | undefined;
  readonly cost?: number | undefined;
  readonly lines: readonly { readonly file: string; readonly n: number; readonly text: string }[];
  /** How the run ends with it. */
  readonly state?: "closed" | "open" | "flagged" | undefined;
  readonly cause?: string | undefined;
}

/** Options for {@linkcode Desk}. */
interface DeskOptions {
  readonly sweep: string;
  /** What the store calls this worker. */
  readonly worker: string;
  readonly providers: Providers;
  readonly terms: DeskTerms;
}

/** The terms that calls are paid for and paced by. */
type DeskTerms = Pick<SweepTerms, "prices" | "limits">;

/** How often a worker that waits for money looks for lost runs, in milliseconds. */
const LOST_MS = 5000;
/** Money may be given back by any worker: how often it is asked whether there is some, in milliseconds. */
const SHORT_MS = 250;

/** One worker's part in one sweep: its tries are paid for, paced and settled here, those of all its runs together. */
export class Desk {
  readonly settle: (outcome: Outcome) => Promise<void>;
  readonly #options: DeskOptions;
  readonly #store: Statements;
  readonly #begin: (intent: Intent) => Promise<Verdict>;
  #terms: DeskTerms = { prices: {}, limits: {} };
  #tariff = new Tariff({});
  #lookedMs = -Infinity;
  readonly #paces = new Map<string, SharedPace | undefined>();

  constructor(store: Statements, options: DeskOptions) {
    [this.#store, this.#options] = [store, options];
    this.follow(options.terms);
    this.#begin = batched(async (items: readonly Intent[]) => {
      const rows = await store.query<{ id: string; verdict: Verdict }>("select * from begin_calls($1)", [
        JSON.stringify(items),
      ]);
      const verdicts = new Map(rows.map(({ id, verdict }) => [id, verdict]));
      return items.map(({ id }) => verdicts.get(id)!);
    });
    const end = batched(async (items: readonly Outcome[]) => {
      const rows = await store.query<{ i: string; verdict: "kept" | "fenced" }>("select * from end_calls($1)", [
        JSON.stringify(items),
      ]);
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
    [this.#terms, this.#tariff] = [terms, new Tariff(Object.fromEntries(priced))];
    this.#paces.clear();
  }

  /**
   * Pays for the tries of one run: each is on record before it is sent. `onReply` keeps a try's outcome for its event.
   *
   * @param free whether a program is asked.
   */
  purse({ run, fence, free }: ClaimKey, onReply: (paid: Pick<Outcome, "call" | "outcome" | "cost">) => void): Purse {
    const claim = { run, fence };
    return {
      reserve: async (request, { place = "", ...options } = {}): Promise<Settle> => {
        const signal = AbortSignal.any([options.signal, options.ebb].filter((one) => one !== undefined));
        const pace = this.#paceOf(request);
        let permit = await pace?.permit(request, signal);
        const call = crypto.randomUUID();
        const atMost = free ? 0 : this.#costAtMost(request);
        await this.#paid({ ...claim, id: call, place, atMost, model: request.model }, signal);
        try {
          while (permit?.isStale()) permit = await pace!.permit(request, signal);
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
   * Books the tries of lost runs, which nobody would take up while every worker waits for money: their fate is unknown, and
   * the most that they can have cost counts, so that they no longer promise to give some of it back.
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
    const { cap, spent, doubt, unknown } = row!;
    const ofIt = unknown === 0 ? "" : `, of it ${money(doubt)} at most for ${unknown} calls whose fate is unknown`;
    const words = `US$ ${money(spent)} of US$ ${money(cap)} are spent${ofIt}, and the next call of ${model} can cost ` +
      `US$ ${money(atMost)}: US$ ${
        money(Math.max(0, spent + atMost - cap))
      } are missing; run ${sweep} again with a larger --budget-usd: ` +
      "it goes on from here";
    return new Unanswered("budget_stop", words, { scope: "endpoint", tries: [] });
  }

  #costAtMost(request: ChatRequest): number | undefined {
    const { prices } = this.#terms;
    return Object.hasOwn(prices, request.model) && prices[request.model] ? this.#tariff.costAtMost(request) : undefined;
  }

  #paceOf({ model }: ChatRequest): SharedPace | undefined {
    const { provider } = askedOf(model, this.#options.providers);
    if (!this.#paces.has(provider)) {
      const limits = this.#terms.limits[provider] ?? {};
      const limited = limits.requestsPerMinute ?? limits.tokensPerMinute;
      this.#paces.set(provider, limited ? new SharedPace(provider, limits, this.#store) : undefined);
    }
    return this.#paces.get(provider);
  }
}

/** The files that a run's lines belong to; a committee has but one. */
export const [EVENTS, CALLS, UNANSWERED] = ["events", "calls", "unanswered"];

type Verdict = "go" | "wait" | "stop" | "fenced";

/** Which claim of which run it is. */
interface ClaimKey {
  readonly run: number;
  readonly fence: number;
  readonly free: boolean;
}

/** A run that this worker holds. */
export interface Claim extends RunKey, Omit<ClaimKey, "free"> {
  /** What it held when it was taken, by file. */
  readonly lines: Readonly<Record<string, readonly string[]>>;
}

/** What the two protocols' runs have in common: lines of a run, one claim's. */
abstract class PostgresRun<Event> implements RunStore<Event> {
  protected readonly desk: Desk;
  protected readonly claim: Claim;
  readonly #counts: Record<string, number>;
  readonly #purse: Purse;
  /** A reply that came in and stands in no line yet. */
  #paid: Pick<Outcome, "call" | "outcome" | "cost"> = {};

  /** @param free whether a program is asked. */
  constructor(claim: Claim, desk: Desk, free: boolean) {
    [this.claim, this.desk] = [claim, desk];
    this.#counts = Object.fromEntries(Object.entries(claim.lines).map(([file, lines]) => [file, lines.length]));
    this.#purse = desk.purse({ ...claim, free }, (paid) => void (this.#paid = paid));
  }

  abstract events(): readonly Event[];
  abstract begin(call: CallKey): Promise<ModelCall | undefined>;
  abstract append(run: RunKey, event: Event | undefined, settlement?: ModelCall): Promise<void>;
  abstract giveUp(call: CallKey, why: Unanswered): Promise<void>;

  /** What pays for the tries of this run. */
  purse(): Purse {
    return this.#purse;
  }

  /** Appends a line, with the try that brought it. */
  protected async write(file: string, line: object, ends: Pick<Outcome, "state" | "cause"> = {}): Promise<void> {
    const { run, fence } = this.claim;
    const n = this.#counts[file] ?? 0;
    const paid = this.#paid;
    this.#paid = {};
    await this.desk.settle({ run, fence, ...paid, ...ends, lines: [{ file, n, text: JSON.stringify(line) }] });
    this.#counts[file] = n + 1;
  }

  /** Ends the work on a run that stays open, or is closed for what nobody can mend. */
  async leave(state: "open" | "flagged", cause: string): Promise<void> {
    const { run, fence } = this.claim;
    await this.desk.settle({ run, fence, lines: [], state, cause });
  }

  close(): void {}
}

/** A committee's run. Its lines are those of the ledger, without number and checksum. */
export class PostgresCommitteeRun extends PostgresRun<DeliberationEvent> {
  readonly #hash: string;
  readonly #events: readonly DeliberationEvent[];

  constructor(claim: Claim, desk: Desk, { hash, free }: { hash: string; free: boolean }) {
    super(claim, desk, free);
    this.#hash = hash;
    const lines = (claim.lines[EVENTS] ?? []).map((text) => JSON.parse(text) as LedgerEntry | UnansweredCall);
    this.#events = lines.flatMap((line) => line.kind === "event" ? [line.event] : []);
  }

  events(): readonly DeliberationEvent[] {
    return this.#events;
  }

  begin(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async append({ replicate, attempt }: RunKey, event: DeliberationEvent): Promise<void> {
    await this.write(EVENTS, ledgerEntry({ hash: this.#hash, replicate, attempt, event }), endOf(event));
  }

  async giveUp({ place, replicate, attempt }: CallKey, { code, tries }: Unanswered): Promise<void> {
    await this.write(EVENTS, unansweredCall({ hash: this.#hash, replicate, attempt, place, code, tries }));
  }
}

function endOf(event: DeliberationEvent): Pick<Outcome, "state" | "cause"> {
  if (event.kind !== "run.closed") return {};
  return { state: "closed", ...(event.cause && { cause: event.cause }) };
}

/** A run of the station. A call is on record before an event names it: the next claim uses what this one did not. */
export class PostgresStationRun extends PostgresRun<StationEvent> {
  readonly #events: readonly StationEvent[];
  readonly #waiting: ModelCall[];

  constructor(claim: Claim, desk: Desk, { free }: { free: boolean }) {
    super(claim, desk, free);
    this.#events = (claim.lines[EVENTS] ?? []).map((text) => JSON.parse(text));
    this.#waiting = (claim.lines[CALLS] ?? []).slice(callsUsed(this.#events)).map((text) => JSON.parse(text));
  }

  events(): readonly StationEvent[] {
    return this.#events;
  }

  begin(): Promise<ModelCall | undefined> {
    return Promise.resolve(this.#waiting.shift());
  }

  async append(_run: RunKey, event: StationEvent | undefined, call?: ModelCall): Promise<void> {
    if (call) await this.write(CALLS, call);
    if (event) await this.write(EVENTS, event, event.kind === "run.closed" ? { state: "closed" } : {});
  }

  async giveUp({ place }: CallKey, { code, message, tries }: Unanswered): Promise<void> {
    const at = new Date().toISOString();
    const line: StationUnanswered = { schema: "station-unanswered/1", at, place, code, message, tries: [...tries] };
    await this.write(UNANSWERED, line);
  }
}
