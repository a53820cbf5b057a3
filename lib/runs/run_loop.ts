import { Pool } from "../core/pool.ts";
import { UserError } from "../core/user_error.ts";
import { type ChatModel, Unanswered } from "../model/chat_model.ts";
import { recordedOutcome } from "../model/replay.ts";
import type { AtMost } from "../schema/model_call.ts";
import type { RunKey, RunStore } from "./run_store.ts";

/** Options for {@linkcode RunLoop}. */
interface RunLoopOptions {
  /** Runs under way at once, over all conditions, seeds and replicates. */
  readonly concurrency: number;
  /** Aborted when no further call is to be begun. */
  readonly signal?: AbortSignal | undefined;
  /** Breaks off calls under way; by default `signal` does. */
  readonly callSignal?: AbortSignal | undefined;
}

/**
 * Works on the runs of a whole command, of either protocol, so many at once. A run whose call stays without an outcome is
 * left open and the others go on; whatever concerns all of them ends them all, each at a place from which it resumes.
 */
export class RunLoop {
  /** Ends runs between two calls: aborted by the caller's signal, and by the first failure that ends everything. */
  readonly signal: AbortSignal;
  /** Breaks off calls under way: the caller's alone, since what they bring is paid for whatever happened to another run. */
  readonly callSignal: AbortSignal | undefined;
  /** Why runs stayed open, one each. */
  readonly open: Unanswered[] = [];
  readonly #pool: Pool;
  readonly #stop = new AbortController();

  constructor({ concurrency, signal, callSignal = signal }: RunLoopOptions) {
    this.#pool = new Pool(concurrency);
    this.callSignal = callSignal;
    this.signal = signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]);
  }

  /** Why nothing was answered any more, where patience with the endpoint ran out. */
  get outage(): Unanswered | undefined {
    const { reason } = this.#stop.signal;
    return reason instanceof Unanswered ? reason : undefined;
  }

  /**
   * Resolves when every run has come to its end or stays open.
   *
   * @throws {UserError} when the endpoint refuses what it is asked for; otherwise the first failure that concerns all runs,
   * or the signal's reason, after all have come to rest.
   */
  async all<Run>(runs: readonly Run[], work: (run: Run) => Promise<void>): Promise<void> {
    await Promise.all(runs.map((run) => this.#pool.run(() => this.#one(() => work(run)))));
    const { outage } = this;
    if (outage === undefined) this.signal.throwIfAborted();
    else if (REFUSALS.has(outage.code)) throw new UserError(outage.message, { cause: outage });
  }

  async #one(work: () => Promise<void>): Promise<void> {
    if (this.signal.aborted) return;
    try {
      await work();
    } catch (error) {
      if (error instanceof Unanswered && error.scope === "call") this.open.push(error);
      else this.#stop.abort(error);
    }
  }
}

/** What waiting does not mend. */
const REFUSALS: ReadonlySet<string> = new Set(["auth", "quota", "bad_request"]);

/** Options for {@linkcode recorded}. */
interface RecordedOptions {
  readonly store: Pick<RunStore<never>, "begin" | "sending" | "giveUp">;
  readonly run: RunKey;
  readonly signal: AbortSignal | undefined;
}

/**
 * A model as one run of a store asks it: a call that is on record is answered from there, and one that stays without an
 * outcome leaves its tries on record; a live try is on record before it is sent.
 *
 * @param signal breaks off a call under way; the one that ends the run lets it come in.
 */
export function recorded(chat: ChatModel, { store, run, signal }: RecordedOptions): ChatModel {
  return async (request, options = {}) => {
    const call = { ...run, place: options.place ?? "" };
    const known = await store.begin(call);
    if (known) return recordedOutcome(known);
    const onSend = (atMost: AtMost) => store.sending?.(run, { model: request.model, atMost });
    try {
      return await chat(request, { ...options, signal, ebb: options.signal, onSend });
    } catch (error) {
      if (error instanceof Unanswered) await store.giveUp(call, error);
      throw error;
    }
  };
}
