import { inertText } from "../core/text.ts";
import { emit } from "./emit.ts";

/** A value in a sentence: text, or a number. */
type Said = string | number | boolean | undefined;

/**
 * Shows a sentence with computed values: say`Roles change λ̂ by ${slope(delta)}: ${verdict}.` Await it.
 *
 * The words of the cell are Markdown; values are always plain text. A number is written as it is: format it with
 * `slope`, `pValue` or `share` first. An undefined value is written as "unknown".
 *
 * @throws {RangeError} on NaN or an infinite number.
 */
export async function say(words: TemplateStringsArray, ...values: readonly Said[]): Promise<void> {
  await emit(sentence(words, values));
}

/**
 * Shows one result sentence, as `say` does, and marks it as a finding: findings are collected at the head of the
 * notebook's page and on the landing page.
 */
export async function finding(words: TemplateStringsArray, ...values: readonly Said[]): Promise<void> {
  const { "text/markdown": markdown, "text/plain": plain } = sentence(words, values);
  await emit({
    "text/markdown": `**Finding.** ${markdown}`,
    "text/plain": `Finding. ${plain}`,
  });
}

/** A sentence as Markdown and as text. */
export function sentence(words: TemplateStringsArray, values: readonly Said[]) {
  const texts = values.map(text);
  const join = (parts: readonly string[]) => words.map((word, i) => `${word}${parts[i] ?? ""}`).join("").trim();
  return { "text/markdown": join(texts.map(literal)), "text/plain": join(texts) };
}

function text(value: Said): string {
  if (value === undefined) return "unknown";
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new RangeError(`a sentence got ${value}: leave out what is unknown, or say why there is none`);
  }
  return inertText(typeof value === "number" ? String(value).replace("-", "−") : String(value));
}

/** Text without a meaning in Markdown or HTML; a value may come from a model. */
const literal = (value: string): string =>
  value.replace(/[&<>"'\\`*_{}[\]()#+!|~$]/g, (mark) => `&#${mark.charCodeAt(0)};`);
