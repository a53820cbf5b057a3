import type { ChatReply, ChatRequest } from "../schema/model_call.ts";
import { estimateTokens } from "./cost.ts";

/** What a provider allows in a minute; without limit where absent. */
interface PaceOptions {
  requestsPerMinute?: number | undefined;
  tokensPerMinute?: number | undefined;
}

/** Spaces tries evenly, so that no minute holds more requests or tokens than the provider allows. */
export class Pace {
  readonly #msPerRequest: number;
  readonly #msPerToken: number;
  #requestsAt = -Infinity;
  #tokensAt = -Infinity;

  constructor({ requestsPerMinute = Infinity, tokensPerMinute = Infinity }: PaceOptions) {
    this.#msPerRequest = 60_000 / requestsPerMinute;
    this.#msPerToken = 60_000 / tokensPerMinute;
  }

  /** When the next try may begin. */
  get openAt(): number {
    return Math.max(this.#requestsAt, this.#tokensAt);
  }

  /** Counts a try that begins now; what it returns corrects the estimate of its tokens. */
  take({ messages, maxTokens }: ChatRequest, at: number): (usage: ChatReply["usage"]) => void {
    this.#requestsAt = at + this.#msPerRequest;
    if (this.#msPerToken === 0) return () => {};
    const estimate = messages.reduce((sum, { content }) => sum + estimateTokens(content), maxTokens);
    this.#tokensAt = at + estimate * this.#msPerToken;
    return (usage) => {
      if (usage) this.#tokensAt += (usage.promptTokens + usage.completionTokens - estimate) * this.#msPerToken;
    };
  }
}
