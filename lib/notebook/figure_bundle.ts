import { Resvg } from "@resvg/resvg-js";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Figure } from "../plots/figure.ts";
import { NARROW } from "../plots/plot_figure.ts";
import { writeAtomically } from "../runs/files.ts";
import { toCsv } from "../core/csv.ts";
import type { MimeBundle } from "./emit.ts";
import { indexedPng } from "./indexed_png.ts";
import { escapeHtml } from "../core/text.ts";

const FONTS = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"];
const FAMILY = "DejaVu Sans";

/**
 * An SVG document as a PNG image, white where the SVG is empty.
 *
 * Only the project's own font files are used (`data/fonts/`), so that the picture does not depend on the fonts of the
 * machine: text asks for DejaVu Sans first, and gets it in any case.
 *
 * @param zoom pixels of the image to one of the SVG; stored outputs have 1.5, sharp enough at two thirds of the bytes of 2.
 * @throws {Error} when the text is no SVG document.
 */
export function renderPng(svg: string, zoom = 1.5): Uint8Array<ArrayBuffer> {
  const image = new Resvg(svg, {
    background: "#ffffff",
    fitTo: { mode: "zoom", value: zoom },
    font: {
      fontFiles: FONTS.map((name) => fileURLToPath(new URL(`../../data/fonts/${name}`, import.meta.url))),
      loadSystemFonts: false,
      defaultFontFamily: FAMILY,
      sansSerifFamily: FAMILY,
    },
  }).render();
  const { width, height, pixels } = image;
  return indexedPng({ width, height, rgba: pixels }) ?? new Uint8Array(image.asPng());
}

/** @throws {Error} in the words of a strict XML reader when a text is no well-formed SVG document. */
export function requireSvg(text: string): void {
  new Resvg(text, { font: { loadSystemFonts: false } });
}

// A white card with dark text is the one choice that can be read under every theme of every viewer.
const CARD = "margin:1em 0;padding:12px;background:#fff;color:#1b1b1b;border:1px solid #d0d0d0;border-radius:6px";
const LINK = "color:#0b57a4;text-decoration:underline";

/**
 * A figure as a notebook output: HTML with the SVG as an image, a caption and the data as CSV, all of it inside the
 * output; PNG for viewers that strip HTML; the alt text for those that show text. Each picture stands there once: pages
 * add the downloads of SVG and PNG. Fractions in the CSV have seven digits; `exportFigure` saves all of them.
 *
 * The SVG is never inlined nor given as `image/svg+xml`: ids of two inlined figures collide, and viewers blank the other.
 *
 * @throws {RangeError} when the figure has no alt text, no file-safe name, or no complete SVG.
 */
export function figureBundle(figure: Figure): MimeBundle {
  checkFigure(figure);
  const image = `<img alt="${escapeHtml(figure.alt)}" src="${dataUrl(SVG, figure.svg)}" style="${IMAGE}">`;
  const file = escapeHtml(`${figure.name}.csv`);
  const csv = `data:text/csv;charset=utf-8,${inUrl(toCsv(figure.rows.map(rounded)))}`;
  const html = [
    `<figure data-figure="${escapeHtml(figure.name)}" data-synthetic="${
      figure.synthetic ?? "undeclared"
    }" style="${CARD}">`,
    figure.narrow === undefined ? image : [
      `<picture><source media="(max-width:${NARROW}px)" srcset="${dataUrl(SVG, figure.narrow)}">`,
      `${image}</picture>`,
    ].join("\n"),
    `<figcaption style="color:#1b1b1b">${escapeHtml(figure.caption)}`,
    `<div style="margin-top:.5em"><a download="${file}" href="${csv}" style="${LINK}" ` +
    `aria-label="Download the data as CSV: ${file}">Data as CSV</a></div>`,
    "</figcaption></figure>",
  ];
  return { "text/html": html.join("\n"), "text/plain": figure.alt, "image/png": renderPng(figure.svg).toBase64() };
}

const rounded = (row: Figure["rows"][number]) =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(7)) : value,
    ]),
  );

const SVG = "image/svg+xml";
const IMAGE = "width:100%;max-width:960px;height:auto;background:#fff";

const dataUrl = (type: string, text: string): string =>
  `data:${type};base64,${new TextEncoder().encode(text).toBase64()}`;

/** Text within a URL within an attribute; most of a table is as short as it was, where base64 adds a third. */
const inUrl = (text: string): string => encodeURI(text).replaceAll("&", "%26").replaceAll("#", "%23");

/** @throws {RangeError} naming the rule that the figure breaks. */
export function checkFigure({ name, svg, alt }: Figure): void {
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(name)) {
    throw new RangeError(
      `figure name ${JSON.stringify(name)} must hold letters, digits, dots, hyphens and underscores only`,
    );
  }
  if (alt.trim() === "") throw new RangeError(`figure ${name} needs an alt text`);
  if (!/^\s*(<\?xml[^>]*>\s*)?<svg[^>]*\sxmlns="http:\/\/www\.w3\.org\/2000\/svg"/.test(svg)) {
    throw new RangeError(`the SVG of figure ${name} must be one <svg> document that declares its xmlns`);
  }
}

/**
 * Saves a figure as `name.svg`, `name.png` (twice the size) and `name.csv` (the data behind it).
 *
 * @param folder is made when missing; files of the same names are replaced.
 * @returns the three paths.
 * @throws {UserError} when the folder cannot be written to. @throws {RangeError} when the figure is not complete.
 */
export async function exportFigure(figure: Figure, folder: string): Promise<string[]> {
  checkFigure(figure);
  const files: [string, string | Uint8Array][] = [
    [`${figure.name}.svg`, figure.svg],
    [`${figure.name}.png`, renderPng(figure.svg, 2)],
    [`${figure.name}.csv`, toCsv(figure.rows)],
  ];
  const paths: string[] = [];
  for (const [name, content] of files) {
    const path = join(folder, name);
    await writeAtomically(path, content);
    paths.push(path);
  }
  return paths;
}
