import { escapeHtml } from "../../../core/text.ts";
import { parseSvg } from "../../plots/canvas.ts";
import { inlineSvg } from "./inline_svg.ts";

/** Characters beyond which a cut-down picture is left out. */
const MOST = 24_000;

/**
 * A figure's SVG for a tile of some 130 pixels: its words, which could not be read, and its fine parts are left out, and
 * coordinates are whole. Undefined if it is still large.
 */
export function thumbnail(svg: string): string | undefined {
  const root = parseSvg(svg).documentElement;
  const ground = root.querySelector("svg > rect");
  const fine = `text, title, desc, marker, g[aria-label$="tick"], g[aria-label$="grid"], g[aria-hidden]`;
  for (const part of [ground, ...root.querySelectorAll(fine)]) part?.remove();
  for (const element of [root, ...root.querySelectorAll("*")]) {
    for (const { name, value } of [...element.attributes]) {
      if (/^(aria-|role$|font-|text-|marker-|id$|class$|paint-order|stroke-miterlimit)/.test(name)) {
        element.removeAttribute(name);
      } else if (/^(d|points|transform|[xy][12]?|c[xy]|r|width|height)$/.test(name)) {
        element.setAttribute(name, value.replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number)))));
      }
    }
  }
  const [width, height] = [Number(root.getAttribute("width")), Number(root.getAttribute("height"))];
  root.setAttribute("viewBox", `0 0 ${width} ${height}`);
  for (const name of ["width", "height"]) root.removeAttribute(name);
  root.setAttribute("preserveAspectRatio", height > width * 0.7 ? "xMidYMin slice" : "xMidYMid meet");
  const made = inlineSvg(root.outerHTML).replace("<svg", `<svg aria-hidden="true"`);
  return made.length > MOST ? undefined : made;
}

/** The first cells of a table as a picture of the same size. */
export function tableThumbnail(rows: readonly (readonly string[])[]): string {
  const [columns, lines] = [3, 5];
  const texts = rows.slice(0, lines).flatMap((row, y) =>
    row.slice(0, columns).map((cell, x) =>
      `<text x="${6 + x * 70}" y="${16 + y * 18}"${y === 0 ? ` font-weight="700"` : ""}>${
        escapeHtml(cell.trim().slice(0, 11))
      }</text>`
    )
  );
  const rules = Array.from({ length: lines }, (_, y) => `M4 ${22 + y * 18}H210`).join("");
  return `<svg aria-hidden="true" viewBox="0 0 214 96" font-size="11" fill="currentColor" preserveAspectRatio="xMidYMin slice">` +
    `<path d="${rules}" stroke="currentColor" stroke-opacity=".2"/>${texts.join("")}</svg>`;
}
