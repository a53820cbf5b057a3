import type { ChatModel } from "./chat_model.ts";

/** `concurrency`: the most calls that may be under way at once, at least 1. */
interface LimitedOptions {
  concurrency: number;
}

/**
 * Lets at most `concurrency` calls be under way; the others wait their turn, first come first served.
 *
 * The limit holds over everyone who shares the returned model: wrap an endpoint once and give all seats and replicates
 * that one. An aborted call leaves the queue without ever reaching the endpoint.
 *
 * @throws {RangeError} when `concurrency` is not a whole number of at least 1.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { scripted } from "./scripted.ts";
 * const chat = limited(scripted(["one", "two"]), { concurrency: 1 });
 * const request = { model: "m", messages: [], temperature: 0, seed: 1, maxTokens: 9 };
 * const replies = await Promise.all([chat(request), chat(request)]);
 * assert.deepEqual(replies.map(({ text }) => text), ["one", "two"]);
 * ```
 */
export function limited(chat: ChatModel, { concurrency }: LimitedOptions): ChatModel {
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`concurrency must be a whole number of at least 1, got ${concurrency}`);
  }
  const queue = new Set<() => void>();
  let running = 0;

  function acquire(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (running < concurrency) {
      running++;
      return Promise.resolve();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = () => {
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    const leave = () => {
      queue.delete(start);
      reject(signal?.reason);
    };
    queue.add(start);
    signal?.addEventListener("abort", leave, { once: true });
    return promise;
  }

  /** Hands the slot to the longest waiting call, so that no newcomer can slip in between. */
  function release() {
    const [next] = queue;
    if (next === undefined) {
      running--;
    } else {
      queue.delete(next);
      next();
    }
  }

  return async (request, { signal } = {}) => {
    await acquire(signal);
    try {
      return await chat(request, { signal });
    } finally {
      release();
    }
  };
}
