import type { AtMost, ChatReply, ChatRequest, FailedTry, FailureCode, Usage } from "../schema/model_call.ts";

/** What goes with a call besides what the model is told. */
export interface ChatOptions {
  readonly signal?: AbortSignal | undefined;
  /** Aborted when nothing more is to be sent: a try under way comes in, one that waits is given up. */
  readonly ebb?: AbortSignal | undefined;
  /** Which slot of its run the call fills, such as `turn/3/2/false`: what a record of the call goes by. */
  readonly place?: string | undefined;
  /** Pays for every try of the call, in the place of what pays for the others. */
  readonly purse?: Purse | undefined;
  /** Told of every try before it is sent, with the most that it can be billed: what it throws keeps the try back. */
  readonly onSend?: ((atMost: AtMost) => void) | undefined;
}

/** What sets money aside for a try before it is sent. */
export interface Purse {
  /**
   * Resolves once the try is paid for whatever it costs; what it gives takes down what it did cost, and whether a usable
   * reply came.
   */
  reserve(request: ChatRequest, options?: ChatOptions): Promise<Settle>;
}

/** Takes down what a try did cost: its bill, and whether it brought a usable reply. */
export interface Settle {
  (
    bill: Pick<Usage, "promptTokens" | "completionTokens" | "usd">,
    outcome: "answered" | "failed",
  ): void | Promise<void>;
  /** What was set aside in US dollars, where bills have shown that its tokens at their price are not the most. */
  readonly usd?: number | undefined;
  /** Whether a bill has come in since that raises what the call can cost. */
  readonly isStale?: () => boolean;
}

/** The place of a call that asks whether a model can be asked at all: what it refuses concerns that model alone. */
export const PREFLIGHT = "preflight";

/**
 * The port behind which every council sits: a live endpoint, a surrogate, a script or a recording.
 *
 * Resolves to the reply of one call. Rejects with a `ModelError` when no usable reply came and none will, with
 * `Unanswered` when the endpoint failed, or the call was broken off once it had been sent, and is to be made again later,
 * and with the signal's reason when aborted before.
 */
export type ChatModel = (request: ChatRequest, options?: ChatOptions) => Promise<ChatReply>;

/** A model, or what holds one, such as `surrogateCouncil()` gives. */
type Council = ChatModel | { readonly chat: ChatModel };

/** Who fills the seats. `chat` is the name that 0.2 had for `council`; where both are given, `council` counts. */
export type SeatedBy =
  | { readonly council: Council; readonly chat?: ChatModel }
  | { readonly chat: ChatModel; readonly council?: Council };

/** @throws {TypeError} where nobody fills the seats: a cell or a script may pass anything. */
export function seatedModel({ council, chat }: SeatedBy): ChatModel {
  const model = typeof council === "object" ? council?.chat : council ?? chat;
  if (typeof model === "function") return model;
  throw new TypeError("council is missing: give surrogateCouncil(), openCouncil(name, env) or a ChatModel");
}

/** A call that brought no usable reply. Anything else thrown by a `ChatModel` is a defect or a stop, not a failed call. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: FailureCode;
  /** How long the endpoint asked us to wait, where it did. */
  readonly retryAfterMs?: number;
  /** What did come with an unusable reply, such as the cut text and its usage: it was paid for. */
  readonly received?: ChatReply;
  /** Whether another try would be answered, and paid for, in the same form that nobody can read. */
  readonly hopeless: boolean;

  constructor(
    code: FailureCode,
    message: string,
    options: {
      retryAfterMs?: number | undefined;
      received?: ChatReply | undefined;
      hopeless?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hopeless = options.hopeless ?? false;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    if (options.received !== undefined) this.received = options.received;
  }

  /** Whether every further call to this endpoint would fail too (no key, no credit). */
  get fatal(): boolean {
    return this.code === "auth" || this.code === "quota";
  }
}

/**
 * A call that the endpoint, not the model, left without an outcome. It fills no slot: the run stays open before it, to be
 * resumed.
 */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
  readonly code: FailureCode;
  /** `call`: other calls may still be answered; `endpoint`: none will be in this session, so that no run need try. */
  readonly scope: "call" | "endpoint";
  /** Every try, the last included: they may have been paid for. */
  readonly tries: readonly FailedTry[];

  constructor(
    code: FailureCode,
    message: string,
    options: { scope: Unanswered["scope"]; tries: readonly FailedTry[] },
  ) {
    super(message);
    this.code = code;
    this.scope = options.scope;
    this.tries = options.tries;
  }
}
