import { fileURLToPath } from "node:url";
import { UserError } from "../core/user_error.ts";
import type { Figure } from "../plots/figure.ts";
import { emit, type MimeBundle } from "./emit.ts";
import { checkFigure, renderPng } from "./figure_bundle.ts";
import { escapeHtml, scriptJson } from "../core/text.ts";

/**
 * A module of ours with all that it imports, as one script for the browser: minified, without imports or exports.
 *
 * The bundler is Deno's own and runs inside this process: reading is all it needs, and the same sources give the same
 * bytes, which name no folder of the machine.
 *
 * @param entry file URL of the module.
 * @throws {UserError} when the bundler is not switched on or refuses the module, in its words.
 */
export async function bundleBrowser(entry: URL): Promise<string> {
  if (typeof Deno.bundle !== "function") {
    throw new UserError(`Deno.bundle is switched off: start Deno where the project's deno.json says "bundle"`);
  }
  const { success, errors, outputFiles } = await Deno.bundle({
    entrypoints: [fileURLToPath(entry)],
    write: false,
    minify: true,
    platform: "browser",
    format: "iife",
  });
  const [script] = outputFiles ?? [];
  if (success && script !== undefined) return script.text();
  throw new UserError(
    `${entry.pathname.split("/").at(-1)} cannot be bundled: ${errors.map(({ text }) => text).join("; ")}`,
  );
}

/** An output that the reader can move: a browser module of ours, its data, and a picture for where no script runs. */
export interface Controls {
  /** A file-safe id in lower case, such as `rescore-explorer`. */
  readonly name: string;
  /** File URL of a module that calls `mount` of `browser/mount.ts`. */
  readonly entry: URL;
  /** What the module is given; goes through JSON, so that `undefined` is left out. */
  readonly data: unknown;
  /** Stands in the output where scripts do not run, and until they do. */
  readonly still: Figure;
}

/**
 * Shows an output with controls: one self-contained piece of HTML that fetches nothing and asks nothing of the kernel
 * once it is made. It works in saved notebooks and on the pages that `reproduce` writes.
 *
 * @throws {RangeError} when the name is not file-safe or the still picture is not complete.
 * @throws {UserError} when the module cannot be bundled.
 */
export async function controls(made: Controls): Promise<void> {
  await emit(await controlsBundle(made));
}

const CARD = "margin:0;padding:12px;background:#fff;color:#1b1b1b;border:1px solid #d0d0d0;border-radius:6px";

/** The output that `controls` shows. The still picture stands inside the place that the module takes over. */
export async function controlsBundle({ name, entry, data, still }: Controls): Promise<MimeBundle> {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) {
    throw new RangeError(`the name of controls must be lower case with hyphens, found ${JSON.stringify(name)}`);
  }
  checkFigure(still);
  // A comment's opening, which packages write in texts alone, would change how the rest of the page is read.
  const script = (await bundleBrowser(entry)).trim().replaceAll("<!--", String.raw`<\x21--`);
  if (/<\/script/i.test(script)) throw new RangeError(`the script of ${name} holds what would end it`);
  const svg = new TextEncoder().encode(still.svg).toBase64();
  const html = [
    // The attribute keeps JupyterLab's shortcuts away from keys that move a slider.
    `<div data-controls="${name}" data-lm-suppress-shortcuts="true" style="margin:1em 0">`,
    `<figure data-figure="${escapeHtml(still.name)}" data-synthetic="${
      still.synthetic ?? "undeclared"
    }" style="${CARD}">`,
    `<img alt="${escapeHtml(still.alt)}" src="data:image/svg+xml;base64,${svg}" style="max-width:100%;height:auto">`,
    `<figcaption>${escapeHtml(still.caption)} <em>${STILL}</em></figcaption></figure></div>`,
    // A module has names of its own: two outputs on one page do not meet.
    // As a function it can give its own source to workers: a page that is a file has no address to load them from.
    `<script type="module">const $controls=${scriptJson({ name, data })};`,
    `const $bundle=function(){${script}\n};$bundle()</script>`,
  ];
  return { "text/html": html.join("\n"), "text/plain": still.alt, "image/png": renderPng(still.svg).toBase64() };
}

const STILL = "A still picture: the controls need a viewer that runs scripts, such as this notebook's page.";
