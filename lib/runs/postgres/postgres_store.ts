import { setTimeout as delay } from "node:timers/promises";
import { money, Tariff } from "../../model/budget.ts";
import { type Purse, type Settle, Unanswered } from "../../model/chat_model.ts";
import type { Prices } from "../../model/cost.ts";
import type { LedgerEntry, UnansweredCall } from "../../schema/ledger_line.ts";
import type { DeliberationEvent } from "../../schema/deliberation_event.ts";
import type { ChatRequest, ModelCall } from "../../schema/model_call.ts";
import { askedOf, type Provider, type Providers } from "../../schema/providers.ts";
import type { StationEvent } from "../../schema/station_event.ts";
import { ledgerEntry, unansweredCall } from "../ledger_store.ts";
import type { CallKey, RunKey, RunStore } from "../run_store.ts";
import type { StationUnanswered } from "../station_files.ts";
import { callsUsed } from "../read_station_folder.ts";
import { batched } from "./batched.ts";
import type { Statements } from "./database.ts";
import { SharedPace } from "./shared_pace.ts";

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
  readonly prices: Prices;
  readonly providers: Providers;
}

/** Money may be given back by any worker: how often it is asked whether there is some, in milliseconds. */
const SHORT_MS = 250;

/** One worker's part in one sweep: its tries are paid for, paced and settled here, those of all its runs together. */
export class Desk {
  readonly settle: (outcome: Outcome) => Promise<void>;
  readonly #options: DeskOptions;
  readonly #store: Statements;
  readonly #begin: (intent: Intent) => Promise<Verdict>;
  readonly #tariff: Tariff;
  readonly #paces = new Map<string, SharedPace | undefined>();

  constructor(store: Statements, options: DeskOptions) {
    [this.#store, this.#options, this.#tariff] = [store, options, new Tariff(options.prices)];
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
        while (permit?.isStale()) permit = await pace!.permit(request, signal);
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
      await delay(SHORT_MS, undefined, { signal });
    }
  }

  async #stop({ model, atMost = 0 }: Pick<Intent, "model" | "atMost">): Promise<Unanswered> {
    const { sweep } = this.#options;
    const [purse] = await this.#store.query<{ cap: string; set_aside: string }>(
      "select cap, set_aside from sweep where name = $1",
      [sweep],
    );
    const words =
      `US$ ${money(Number(purse!.set_aside))} of US$ ${money(Number(purse!.cap))} are spent, and the next ` +
      `call of ${model} can cost US$ ${
        money(atMost)
      }; run ${sweep} again with a larger --budget-usd: it goes on from here`;
    return new Unanswered("budget_stop", words, { scope: "endpoint", tries: [] });
  }

  #costAtMost(request: ChatRequest): number | undefined {
    return Object.hasOwn(this.#options.prices, request.model) ? this.#tariff.costAtMost(request) : undefined;
  }

  #paceOf({ model }: ChatRequest): SharedPace | undefined {
    const { providers } = this.#options;
    const { provider } = askedOf(model, providers);
    if (!this.#paces.has(provider)) {
      const limits = Object.hasOwn(providers, provider) ? providers[provider]!.limits : undefined;
      const { requestsPerMinute, tokensPerMinute } = limits ?? {} as NonNullable<Provider["limits"]>;
      const limited = requestsPerMinute ?? tokensPerMinute;
      this.#paces.set(provider, limited && limits ? new SharedPace(provider, limits, this.#store) : undefined);
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
