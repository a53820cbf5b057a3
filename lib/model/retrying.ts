import { setTimeout as delay } from "node:timers/promises";
import type { Rng } from "../core/rng.ts";
import type { FailedTry, FailureCode } from "../schema/model_call.ts";
import { type ChatModel, ModelError } from "./chat_model.ts";

/** Options for {@linkcode retrying}. */
interface RetryingOptions {
  /** Where jitter comes from; it moves waits only, never a result. */
  rng: Rng;
  /** Tries in all, the first included; 4 by default. */
  maxTries?: number;
  /** Longest wait after the first failure in milliseconds, doubled with each further one; 1000 by default. */
  baseMs?: number;
  /** Where the doubling ends; 60 000 ms by default. */
  capMs?: number;
  /** Longest wait an endpoint may ask for; beyond it the call fails at once. 600 000 ms by default. */
  patienceMs?: number;
  /** Waits; rejects when the signal aborts. Replaced in tests. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * Failures that may pass. A timeout is among them although the endpoint may have answered, and billed, too late to
 * be heard: a slot lost for good costs the whole replicate. Each failed try stays on record.
 */
const PASSING: ReadonlySet<FailureCode> = new Set(["rate_limit", "server", "network", "timeout"]);

/**
 * The one retry layer: tries a call again after `rate_limit`, `server`, `network` and `timeout`; every other failure
 * passes through at once.
 *
 * The wait after failure n is uniform in [0, min(capMs, baseMs · 2ⁿ⁻¹)) (full jitter, so that seats that failed together
 * do not return together), on top of what the endpoint asked for, which is kept in full. Wrap it around `limited`:
 * then a waiting call holds no slot.
 *
 * @returns a model whose replies list their `failedTries`. After the last try it rejects with the last failure, and
 * its message lists the earlier ones; an abort also ends a wait, with the signal's reason.
 * @throws {RangeError} on options out of range.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createRng } from "../core/rng.ts";
 * import { ModelError } from "./chat_model.ts";
 * import { scripted } from "./scripted.ts";
 * const flaky = scripted([new ModelError("server", "500"), "hello"]);
 * const chat = retrying(flaky, { rng: createRng(1), sleep: () => Promise.resolve() });
 * const reply = await chat({ model: "m", messages: [], temperature: 0, seed: 1, maxTokens: 9 });
 * assert.equal(reply.text, "hello");
 * assert.equal(reply.failedTries?.[0]?.code, "server");
 * ```
 */
export function retrying(chat: ChatModel, options: RetryingOptions): ChatModel {
  const { rng, maxTries = 4, baseMs = 1000, capMs = 60_000, patienceMs = 600_000, sleep = wait } = options;
  if (!Number.isInteger(maxTries) || maxTries < 1) throw new RangeError(`maxTries must be at least 1, got ${maxTries}`);
  for (const [name, ms] of Object.entries({ baseMs, capMs, patienceMs })) {
    if (!(ms >= 0)) throw new RangeError(`${name} must be at least 0, got ${ms}`);
  }

  return async (request, { signal } = {}) => {
    const failedTries: FailedTry[] = [];
    while (true) {
      try {
        const reply = await chat(request, { signal });
        return failedTries.length === 0 ? reply : { ...reply, failedTries };
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        const asked = error.retryAfterMs ?? 0;
        const last = failedTries.length + 1 >= maxTries || !PASSING.has(error.code) || asked > patienceMs;
        if (last) throw withHistory(error, failedTries);
        const waitedMs = asked + rng.next() * Math.min(capMs, baseMs * 2 ** failedTries.length);
        failedTries.push({ code: error.code, message: error.message, waitedMs });
        await sleep(waitedMs, signal);
        signal?.throwIfAborted();
      }
    }
  };
}

/** The last failure, telling of the earlier ones too; the error itself when it was the first. */
function withHistory(error: ModelError, earlier: readonly FailedTry[]): ModelError {
  if (earlier.length === 0) return error;
  const tries = earlier.map(({ code, message, waitedMs }, i) =>
    `try ${i + 1} ${code}: ${message}, then waited ${Math.round(waitedMs)} ms`
  );
  const { code, message, retryAfterMs, received } = error;
  return new ModelError(code, `${message} (try ${earlier.length + 1}, the last; earlier: ${tries.join("; ")})`, {
    retryAfterMs,
    received,
    cause: error,
  });
}

async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
