import { emit } from "./emit.ts";
import { escapeHtml, inertText } from "../core/text.ts";

/**
 * Prints a value that the prose around it uses, with where it comes from, so that no number stands in the text alone.
 *
 * @param id what is claimed, stable within its notebook, such as `lambda-hl01`.
 * @param value undefined when there is no such value: printed as "unknown".
 * @param source the call, file or table it comes from.
 * @throws {RangeError} when the id has white space or is empty, the source is blank, or a number is not finite.
 */
export async function claim(id: string, value: string | number | boolean | undefined, source: string): Promise<void> {
  if (!/^\S+$/.test(id)) throw new RangeError(`a claim's id must be one word, got ${JSON.stringify(id)}`);
  if (source.trim() === "") throw new RangeError(`claim ${id} needs a source`);
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new RangeError(`claim ${id} is ${value}, not a number`);
  }
  const text = value === undefined ? "unknown" : inertText(String(value));
  const from = inertText(source);
  await emit({
    "text/html": `<p data-claim="${escapeHtml(id)}"><b>${escapeHtml(id)}</b> = ${escapeHtml(text)} ` +
      `<small>(${escapeHtml(from)})</small></p>`,
    "text/plain": `${id} = ${text} (${from})`,
  });
}
