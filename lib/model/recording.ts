import type { ModelCall } from "../schema/model_call.ts";
import { type ChatModel, ModelError } from "./chat_model.ts";

/**
 * Hands every finished call, request and reply or failure, whole, to `append`, and only then passes the outcome on:
 * nothing is used that was not recorded first. Calls that were aborted or hit a defect have no outcome to record.
 *
 * Wrapped around `retrying` it records one call a slot, with the failed tries in the reply; inside it, every attempt.
 *
 * @returns a model that rejects as the wrapped one does, and with what `append` throws when recording fails.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { ModelCall } from "../schema/model_call.ts";
 * import { replay } from "./replay.ts";
 * import { scripted } from "./scripted.ts";
 * const calls: ModelCall[] = [];
 * const request = { model: "m", messages: [], temperature: 0, seed: 1, maxTokens: 9 };
 * const reply = await recording(scripted(["hello"]), (call) => void calls.push(call))(request);
 * assert.deepEqual(await replay(calls)(request), reply);
 * ```
 */
export function recording(chat: ChatModel, append: (call: ModelCall) => void | Promise<void>): ChatModel {
  return async (request, options) => {
    // A copy: callers may go on building their messages in place.
    const call = { schema: "model-call/1", request: structuredClone(request) } as const;
    try {
      const reply = await chat(request, options);
      await append({ ...call, reply });
      return reply;
    } catch (error) {
      if (error instanceof ModelError) await append({ ...call, failure: failureOf(error) });
      throw error;
    }
  };
}

function failureOf({ code, message, received }: ModelError): NonNullable<ModelCall["failure"]> {
  return { code, message, ...(received === undefined ? {} : { received }) };
}
