import { bundleBrowser } from "./bundle_browser.ts";
import type { Controls } from "./controls.ts";
import { escapeHtml } from "./escape_html.ts";
import { checkFigure } from "./figure_bundle.ts";
import type { MimeBundle } from "./mime_bundle.ts";
import { renderPng } from "./render_png.ts";
import { scriptJson } from "./script_json.ts";

const CARD = "margin:0;padding:12px;background:#fff;color:#1b1b1b;border:1px solid #d0d0d0;border-radius:6px";

/** The output that `controls` shows. The still picture stands inside the place that the module takes over. */
export async function controlsBundle({ name, entry, data, still }: Controls): Promise<MimeBundle> {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) {
    throw new RangeError(`the name of controls must be lower case with hyphens, found ${JSON.stringify(name)}`);
  }
  checkFigure(still);
  const script = (await bundleBrowser(entry)).trim();
  if (/<\/script|<!--/i.test(script)) throw new RangeError(`the script of ${name} holds what would end it`);
  const svg = new TextEncoder().encode(still.svg).toBase64();
  const html = [
    // The attribute keeps JupyterLab's shortcuts away from keys that move a slider.
    `<div data-controls="${name}" data-lm-suppress-shortcuts="true" style="margin:1em 0">`,
    `<figure data-figure="${escapeHtml(still.name)}" style="${CARD}">`,
    `<img alt="${escapeHtml(still.alt)}" src="data:image/svg+xml;base64,${svg}" style="max-width:100%;height:auto">`,
    `<figcaption>${escapeHtml(still.caption)} <em>${STILL}</em></figcaption></figure></div>`,
    // A module has names of its own: two outputs on one page do not meet.
    `<script type="module">const $controls=${scriptJson({ name, data })};`,
    `${script}</script>`,
  ];
  return { "text/html": html.join("\n"), "text/plain": still.alt, "image/png": renderPng(still.svg).toBase64() };
}

const STILL = "A still picture: the controls need a viewer that runs scripts, such as this notebook's page.";
