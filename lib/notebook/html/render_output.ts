import { escapeHtml } from "../escape_html.ts";
import { inertText } from "../inert_text.ts";
import type { Output } from "../run/notebook_file.ts";

/**
 * One output of a cell as HTML. HTML that a cell made through `show` is taken as it is, images are embedded, and
 * everything else is text, which can do nothing.
 */
export function renderOutput(output: Output): string {
  if (output.output_type === "stream") return textBlock(output.text, output.name);
  if (output.output_type === "error") return textBlock(`${output.ename}: ${output.evalue}`, "stderr");
  const { data } = output;
  if (typeof data["text/html"] === "string") return `<div class="output">${data["text/html"]}</div>`;
  const image = ["image/png", "image/jpeg"].find((type) => typeof data[type] === "string");
  const plain = typeof data["text/plain"] === "string" ? data["text/plain"] : "";
  if (image !== undefined) {
    const base64 = String(data[image]).replace(/[^\w+/=]/g, "");
    return `<div class="output"><img alt="${escapeHtml(plain)}" src="data:${image};base64,${base64}"></div>`;
  }
  return textBlock(plain === "" ? `(nothing that can be shown: ${Object.keys(data).join(", ")})` : plain, "result");
}

function textBlock(text: string, kind: "stdout" | "stderr" | "result"): string {
  return `<pre class="output ${kind}" tabindex="0">${escapeHtml(inertText(text.trimEnd()))}</pre>`;
}
