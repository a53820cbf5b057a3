/** Prompts of one length in tokens: how many, and the fewest and most characters among them. */
interface Level {
  times: number;
  least: number;
  most: number;
}

const TIMES = 3;
const GROWTH = 1.2;

/**
 * The prompts of one model, watched for a length that they do not exceed: servers cut what is longer in silence. It is one
 * where the largest count of tokens comes three times while characters grow by a fifth.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const prompts = new PromptCeiling();
 * for (const characters of [3000, 4000, 4400, 5000]) prompts.add(characters, Math.min(1000, characters / 4));
 * assert.equal(prompts.tokens, 1000);
 * ```
 */
export class PromptCeiling {
  #top = 0;
  readonly #levels = new Map<number, Level>();

  add(characters: number, promptTokens: number): void {
    this.#top = Math.max(this.#top, promptTokens);
    const { times, least, most } = this.#levels.get(promptTokens) ?? { times: 0, least: Infinity, most: 0 };
    const level = { times: times + 1, least: Math.min(least, characters), most: Math.max(most, characters) };
    this.#levels.set(promptTokens, level);
  }

  /** The count that prompts stay at; undefined where there is none. */
  get tokens(): number | undefined {
    const { times, least, most } = this.#levels.get(this.#top) ?? { times: 0, least: 1, most: 1 };
    return times >= TIMES && most >= GROWTH * least ? this.#top : undefined;
  }
}

/** The characters of a request's messages. */
export const charactersOf = ({ messages }: { readonly messages: readonly { readonly content: string }[] }): number =>
  messages.reduce((total, { content }) => total + content.length, 0);
