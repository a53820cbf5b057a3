import type { ChatReply, ChatRequest, FailureCode } from "../schema/model_call.ts";

/**
 * The port behind which every council sits: a live endpoint, a surrogate, a script or a recording.
 *
 * Resolves to the reply of one call. Rejects with a `ModelError` when no usable reply came, and with the signal's
 * reason when aborted.
 */
export type ChatModel = (request: ChatRequest, options?: { signal?: AbortSignal | undefined }) => Promise<ChatReply>;

/** A call that brought no usable reply. Anything else thrown by a `ChatModel` is a defect or a stop, not a failed call. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: FailureCode;
  /** How long the endpoint asked us to wait, where it did. */
  readonly retryAfterMs?: number;
  /** What did come with an unusable reply, such as the cut text and its usage: it was paid for. */
  readonly received?: ChatReply;

  constructor(
    code: FailureCode,
    message: string,
    options: { retryAfterMs?: number | undefined; received?: ChatReply | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    if (options.received !== undefined) this.received = options.received;
  }

  /** Whether every further call to this endpoint would fail too (no key, no credit). */
  get fatal(): boolean {
    return this.code === "auth" || this.code === "quota";
  }
}
