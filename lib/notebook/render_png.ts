import { Resvg } from "@resvg/resvg-js";
import { fileURLToPath } from "node:url";
import { indexedPng } from "./indexed_png.ts";

const FONTS = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"];
const FAMILY = "DejaVu Sans";

/**
 * An SVG document as a PNG image of twice its size, white where the SVG is empty.
 *
 * Only the project's own font files are used (`data/fonts/`), so that the picture does not depend on the fonts of the
 * machine: text asks for DejaVu Sans first, and gets it in any case.
 *
 * @throws {Error} when the text is no SVG document.
 */
export function renderPng(svg: string): Uint8Array<ArrayBuffer> {
  const image = new Resvg(svg, {
    background: "#ffffff",
    fitTo: { mode: "zoom", value: 2 },
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
