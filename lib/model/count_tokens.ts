import type { ChatMessage } from "../schema/model_call.ts";

/** What a chat's template adds to a message, and to the whole, with the models that the tokenizer is of. */
const PER_MESSAGE = 4, PER_PROMPT = 3;

/** Counts tokens, of a text or of a prompt. */
export interface TokenCounter {
  readonly text: (text: string) => number;
  readonly prompt: (messages: readonly ChatMessage[]) => number;
}

/**
 * A counter by the tokenizer of GPT-4o and later, `o200k_base`. Other models' counts differ by up to a third: what a model
 * is billed for says by how much. Loading takes a fifth of a second and 50 MB, so only who plans a live run asks for it.
 */
export async function tokenCounter(): Promise<TokenCounter> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  // Words that look like a control token are words.
  const text = (words: string) => countTokens(words, { disallowedSpecial: new Set() });
  const known = new Map<string, number>();
  const once = (content: string) => {
    const count = known.get(content) ?? text(content);
    // System prompts come again and again.
    if (known.size < 100) known.set(content, count);
    return count;
  };
  const prompt = (messages: readonly ChatMessage[]) =>
    messages.reduce((sum, { content }) => sum + once(content) + PER_MESSAGE, PER_PROMPT);
  return { text, prompt };
}
