import { isDeepStrictEqual } from "node:util";
import { mapValues, type Notebook, type Output, runnableCells } from "@/lab/tools/notebooks/notebook_file.ts";

/**
 * Lists the differences between the outputs of two executions, value by value.
 *
 * PNG bytes are not compared: they are drawn from the SVG, which is, and a pixel may depend on the processor.
 *
 * @returns the code cell, numbered as the kernel does, and output, media type and both texts where they begin to differ.
 */
export function compareOutputs(stored: Notebook, fresh: Notebook) {
  const [before, after] = [runnableCells(stored), runnableCells(fresh)];
  return Array.from({ length: Math.max(before.length, after.length) }, (_, i) => i).flatMap((i) => {
    const words = firstDifference(before[i]?.outputs ?? [], after[i]?.outputs ?? []);
    return words === undefined ? [] : [{ cell: i + 1, words }];
  });
}

function firstDifference(stored: readonly Output[], fresh: readonly Output[]): string | undefined {
  if (stored.length !== fresh.length) return `has ${stored.length} stored outputs, ${fresh.length} when run`;
  for (const [i, output] of fresh.entries()) {
    const [before, after] = [values(stored[i]!), values(output)];
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (isDeepStrictEqual(before[key], after[key])) continue;
      return `output ${i + 1}, ${key}: ${parting(before[key], after[key])}`;
    }
  }
  return undefined;
}

/** The contents of an output, by media type or stream. */
function values(output: Output): Record<string, unknown> {
  if (output.output_type === "stream") return { [output.name]: output.text };
  if (output.output_type === "error") return { error: `${output.ename}: ${output.evalue}` };
  const data = mapValues(output.data, (value, type) => type === "image/png" ? "an image" : readable(value));
  return { [`a ${output.output_type}`]: true, ...data };
}

/** HTML with its PNG left out and its other embedded files as text. */
function readable(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value.replace(
    /data:([\w/+.-]+)[\w;=-]*;base64,([\w+/]+=*)/g,
    (_, type: string, base64: string) =>
      type === "image/png" ? "an image" : new TextDecoder().decode(Uint8Array.fromBase64(base64)),
  );
}

function parting(stored: unknown, fresh: unknown): string {
  const [a, b] = [asText(stored), asText(fresh)];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  return `stored ${excerpt(a, start)}, when run ${excerpt(b, start)}`;
}

const asText = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value) ?? "nothing";

function excerpt(text: string, at: number): string {
  const from = Math.max(0, at - 20);
  return `${from > 0 ? "…" : ""}${JSON.stringify(text.slice(from, at + 40))}${at + 40 < text.length ? "…" : ""}`;
}
