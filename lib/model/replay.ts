import { canonicalJson } from "../core/canonical_json.ts";
import type { ChatReply, ChatRequest, ModelCall } from "../schema/model_call.ts";
import { type ChatModel, ModelError } from "./chat_model.ts";
import { ReplayMismatch, requestDiff, requestDifferences } from "./replay_mismatch.ts";

/**
 * A model that answers from recorded calls, in order of recording.
 *
 * The rule: a request is answered by the next unused recording whose request is identical in model, messages,
 * temperature, seed and maxTokens. So replicates may interleave otherwise than when recorded, a request that was
 * repeated gets its answers in the order it got them, and no answer serves twice. Where two replicates sent
 * requests identical even in their seed, replay them in the order of recording to give each its own answers.
 *
 * Recorded failures are thrown again as `ModelError`s, never turned into replies.
 *
 * @returns a model that rejects with {@linkcode ReplayMismatch}: `drift`, with a line diff to the closest unused
 * recording, when none is identical; `exhausted` when none is left at all.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const request = { model: "m", messages: [], temperature: 0, seed: 1, maxTokens: 9 };
 * const chat = replay([{ schema: "model-call/1", request, reply: { text: "as it was" } }]);
 * assert.equal((await chat(request)).text, "as it was");
 * await assert.rejects(chat(request), /all recorded calls \(1\) have been used/);
 * ```
 */
export function replay(calls: readonly ModelCall[]): ChatModel {
  // Last recorded first, so that `pop` takes them in order.
  const waiting = Map.groupBy(calls.toReversed(), (call) => canonicalJson(call.request));
  const used = new Set<ModelCall>();
  // deno-lint-ignore require-await -- what it throws must reject, as with any model
  return async (request, { signal } = {}) => {
    signal?.throwIfAborted();
    const call = waiting.get(canonicalJson(request))?.pop();
    if (call === undefined) throw mismatch(request, calls, used);
    used.add(call);
    return outcome(call);
  };
}

function outcome({ reply, failure }: ModelCall): ChatReply {
  if (failure !== undefined) throw new ModelError(failure.code, failure.message, { received: failure.received });
  if (reply === undefined) throw new TypeError("a recorded call has neither a reply nor a failure");
  return reply;
}

function mismatch(request: ChatRequest, calls: readonly ModelCall[], used: ReadonlySet<ModelCall>): ReplayMismatch {
  const asked = `call ${used.size + 1} of the replay asks ${request.model} with seed ${request.seed}`;
  const unused = calls.filter((call) => !used.has(call));
  const closest = closestTo(request, unused);
  if (closest === undefined) {
    return new ReplayMismatch("exhausted", `${asked}, but all recorded calls (${calls.length}) have been used`);
  }
  const differences = requestDifferences(closest.request, request);
  const same = calls.filter((call) => requestDifferences(call.request, request).length === 0).length;
  const known = same === 0 ? "which was not recorded" : `whose recordings (${same}) have been used`;
  const which = `the closest of ${unused.length} unused is recorded call ${calls.indexOf(closest) + 1}`;
  const diff = requestDiff(closest.request, request);
  return new ReplayMismatch("drift", `${asked}, ${known}; ${which}. Differs in\n${differences.join("\n")}\n${diff}`);
}

/** The unused recording most like a request; the earliest of equals. A guide for the reader, nothing is answered by it. */
function closestTo(request: ChatRequest, unused: readonly ModelCall[]): ModelCall | undefined {
  let best: { call: ModelCall; score: number } | undefined;
  for (const call of unused) {
    const score = likeness(call.request, request);
    if (best === undefined || score > best.score) best = { call, score };
  }
  return best?.call;
}

/** Equal settings count one each, the messages two by the share of text that agrees from either end. */
function likeness(a: ChatRequest, b: ChatRequest): number {
  const settings = (["model", "temperature", "seed", "maxTokens"] as const).filter((name) => a[name] === b[name]);
  const [left, right] = [a, b].map(({ messages }) =>
    messages.map(({ role, content }) => `${role}\n${content}`).join("\n")
  );
  return settings.length + 2 * sharedEnds(left ?? "", right ?? "");
}

function sharedEnds(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return a.length + b.length === 0 ? 1 : 2 * (head + tail) / (a.length + b.length);
}
