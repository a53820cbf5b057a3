import { SYNTHETIC_SENTENCE } from "@/lab/plots/figure.ts";
import type { Output } from "@/lab/tools/notebooks/notebook_file.ts";

/** A figure as a notebook stores it; each part can be another. */
export function figure(
  {
    svg = "",
    alt = "A picture.",
    caption = `<figcaption>${SYNTHETIC_SENTENCE}</figcaption>`,
    document,
    synthetic = "true",
  }: {
    readonly svg?: string;
    readonly alt?: string;
    readonly caption?: string;
    readonly document?: string;
    readonly synthetic?: string;
  },
): Output {
  const whole = document ?? `<svg xmlns="http://www.w3.org/2000/svg" font-size="10">${svg}</svg>`;
  const src = `data:image/svg+xml;base64,${new TextEncoder().encode(whole).toBase64()}`;
  const html =
    `<figure data-figure="f" data-synthetic="${synthetic}">\n<img alt="${alt}" src="${src}" style="max-width:100%">\n${caption}</figure>`;
  return { "output_type": "display_data", data: { "text/html": html }, metadata: {} };
}
