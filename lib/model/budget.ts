import type { ChatReply, ChatRequest, FailureCode, Usage } from "../schema/model_call.ts";
import { type ChatModel, type ChatOptions, ModelError, type Purse, type Settle, Unanswered } from "./chat_model.ts";
import { type Prices, usdOf, worstCase } from "./cost.ts";

/** Options for {@linkcode Budget}. */
interface BudgetOptions {
  /** The most that may be spent, in US dollars, above 0. */
  readonly usd: number;
  /** Of every model that will be asked. */
  readonly prices: Prices;
  /** What earlier sessions spent of it. */
  readonly spent?: number | undefined;
}

type Bill = Pick<Usage, "promptTokens" | "completionTokens" | "usd">;

/** What calls cost by their models' prices, and at most. */
export class Tariff {
  readonly #prices: Prices;
  /** The dearest reply of a model, where it was billed more than it could. */
  readonly #excess = new Map<string, number>();

  constructor(prices: Prices) {
    this.#prices = prices;
  }

  /** The most that a call can cost, in US dollars. Throws a RangeError where its model has no price. */
  costAtMost(request: ChatRequest): number {
    const price = this.#prices[request.model];
    if (price === undefined) throw new RangeError(`there is no price for ${request.model}`);
    return Math.max(usdOf(worstCase(request), price), 2 * (this.#excess.get(request.model) ?? 0));
  }

  /** What a bill comes to; one above what the call could cost raises what later ones can. */
  costOf({ model }: ChatRequest, bill: Bill, atMost: number): number {
    const cost = usdOf(bill, this.#prices[model]!);
    if (cost > atMost) this.#excess.set(model, cost);
    return cost;
  }
}

/**
 * Money for all calls of a command, whoever answers them. The most that a try can cost is set aside before it is sent, and
 * what it did cost is taken off when it has come back, so that the sum is never exceeded however many are under way. A try
 * that cannot be paid for waits while others are under way, for they give back what they did not need; where none is, the
 * command stops.
 *
 * A provider that bills more than it was asked for is found out by its first such reply: from then on twice that is set
 * aside.
 */
export class Budget implements Purse {
  readonly usd: number;
  readonly #tariff: Tariff;
  #spent: number;
  #reserved = 0;
  #changed = Promise.withResolvers<void>();
  #stop: Unanswered | undefined;

  constructor({ usd, prices, spent = 0 }: BudgetOptions) {
    if (!(usd > 0 && usd < Infinity)) throw new RangeError(`usd must be above 0, got ${usd}`);
    [this.usd, this.#tariff, this.#spent] = [usd, new Tariff(prices), spent];
  }

  /** What was spent so far, earlier sessions included; what tries cost that nobody told counts as the most it can be. */
  get spent(): number {
    return this.#spent;
  }

  /** The most that a call can cost, in US dollars. */
  costAtMost(request: ChatRequest): number {
    return this.#tariff.costAtMost(request);
  }

  /**
   * Resolves once the try is paid for whatever it costs; what it gives takes down what it did cost.
   *
   * @throws {Unanswered} `budget_stop`, of scope `endpoint`, when it can never be; the reason of whichever signal is aborted
   * while it waits.
   */
  async reserve(request: ChatRequest, { signal, ebb }: ChatOptions = {}): Promise<Settle> {
    let worst: number;
    while (this.#spent + this.#reserved + (worst = this.costAtMost(request)) > this.usd) {
      if (this.#reserved === 0) this.#stop ??= this.#stopAt(request, worst);
      if (this.#stop) throw this.#stop;
      await orAborted(this.#changed.promise, [signal, ebb]);
    }
    this.#reserved += worst;
    return (bill) => {
      const cost = this.#tariff.costOf(request, bill, worst);
      // Sums of fractions leave a rest, by which an empty purse would look as if somebody were still out.
      this.#reserved = this.#reserved - worst < 1e-12 ? 0 : this.#reserved - worst;
      this.#spent += cost;
      this.#changed.resolve();
      this.#changed = Promise.withResolvers();
    };
  }

  #stopAt({ model }: ChatRequest, worst: number): Unanswered {
    const words =
      `US$ ${money(this.#spent)} of US$ ${money(this.usd)} are spent, and the next call of ${model} can cost ` +
      `US$ ${money(worst)}; run the same command again with a larger --budget-usd: it goes on from here`;
    return new Unanswered("budget_stop", words, { scope: "endpoint", tries: [] });
  }
}

/** Dollars as people read them: two digits that count, and cents at least. */
export const money = (usd: number): string =>
  usd > 0 && usd < 0.1 ? usd.toFixed(Math.min(12, 1 - Math.floor(Math.log10(usd)))) : usd.toFixed(2);

async function orAborted(promise: Promise<void>, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const abort = ({ target }: Event) => aborted.reject((target as AbortSignal).reason);
  for (const signal of signals) signal?.throwIfAborted();
  for (const signal of signals) signal?.addEventListener("abort", abort);
  try {
    await Promise.race([promise, aborted.promise]);
  } finally {
    for (const signal of signals) signal?.removeEventListener("abort", abort);
  }
}

/** Refusals: the endpoint made nothing, and bills nothing. */
const FREE: ReadonlySet<FailureCode> = new Set(["auth", "quota", "rate_limit", "bad_request", "context_length"]);

/**
 * Takes down what every try of a model costs: from a budget, and in `atMost` where it may have been billed and nobody told.
 * It stands within `queued`, so that failed tries count.
 *
 * @returns a model that rejects as the wrapped one does, and with `Unanswered` where a budget is used up.
 */
export function metered(chat: ChatModel, budget?: Budget): ChatModel {
  return async (request, options) => {
    const settle = await (options?.purse ?? budget)?.reserve(request, options);
    const atMost = worstCase(request);
    let bill: Bill = atMost;
    let outcome: Parameters<Settle>[1] = "failed";
    try {
      const reply = await chat(request, options);
      bill = reply.usage ?? atMost;
      outcome = "answered";
      return reply.usage ? reply : { ...reply, atMost };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const { code, message, retryAfterMs, received, hopeless } = error;
      bill = received?.usage ?? (FREE.has(code) ? NOTHING : atMost);
      if (bill !== atMost) throw error;
      const known: ChatReply = { text: "", ...received, atMost };
      throw new ModelError(code, message, { retryAfterMs, received: known, hopeless });
    } finally {
      await settle?.(bill, outcome);
    }
  };
}

const NOTHING: Bill = { promptTokens: 0, completionTokens: 0 };
