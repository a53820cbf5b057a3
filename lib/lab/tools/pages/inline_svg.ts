import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { escapeHtml } from "../../../core/text.ts";
import { parseSvg } from "../../plots/canvas.ts";
import drawing from "./drawing.json" with { type: "json" };

/** Elements that draw and can do nothing else, and attributes that draw, name or place. */
const ELEMENTS = new Set(drawing.elements), ATTRIBUTES = new Set(drawing.attributes);

const COLOURED: ReadonlySet<string> = new Set(["fill", "stroke", "color", "stop-color"]);
const HEX = /^#(?:[0-9a-f]{3}){1,2}$/;
const NAMED: Readonly<Record<string, string>> = {
  "white": "#ffffff",
  "black": "#000000",
  "#fff": "#ffffff",
  "#000": "#000000",
};
/** Text and card of every figure, as `plots/palette.ts` has them, and black, which a dark page turns over with them. */
const INKS: ReadonlySet<string> = new Set(["#1f1f1f", "#000000"]);

/**
 * An SVG document as part of a page: only what draws is kept, ids are prefixed with a hash of the picture, and the
 * colours of text and card follow the page's, light or dark.
 *
 * Anything else of a hostile document is left out: scripts, styles, foreign content, events, and references that leave
 * the picture, but for links to a place on the page. The text is written anew, so that HTML and XML cannot read it
 * differently.
 *
 * Words whose colour was chosen for what lies below them keep it, and so does everything else in their figure.
 *
 * @throws {RangeError} when the text is no SVG document.
 */
export function inlineSvg(svg: string): string {
  const root = parseSvg(svg).documentElement;
  if (root?.nodeName !== "svg") throw new RangeError("a figure's picture is no SVG document");
  const prefix = `f${bytesToHex(sha256(utf8ToBytes(svg))).slice(0, 10)}-`;
  const fixed = [...root.querySelectorAll("text")].some((text) => INKS.has(hexOf(text.getAttribute("fill") ?? "")));
  const look: Look = { prefix, ids: new Set([...root.querySelectorAll("[id]")].map(({ id }) => id)), fixed };
  const label = root.getAttribute("aria-label");
  const words = label ? ` role="img" aria-label="${escapeHtml(label)}"` : "";
  return `<svg${words}${written(root, look).slice("<svg".length)}`;
}

interface Look {
  readonly prefix: string;
  readonly ids: ReadonlySet<string>;
  /** Whether colours of marks must stay, for the words on them. */
  readonly fixed: boolean;
}

function written(node: Node, look: Look): string {
  if (node.nodeType === 3 || node.nodeType === 4) return escapeHtml(node.textContent ?? "");
  if (node.nodeType !== 1 || !ELEMENTS.has(node.nodeName)) return "";
  const element = node as Element;
  const attributes = [...element.attributes].flatMap(({ name, value }) => {
    const kept = ATTRIBUTES.has(name.replace(/^xlink:/, "")) ? attribute(element, name, value.trim(), look) : undefined;
    return kept === undefined ? [] : [` ${name.replace(/^xlink:/, "")}="${escapeHtml(kept)}"`];
  });
  const content = [...element.childNodes].map((child) => written(child, look)).join("");
  return `<${element.nodeName}${attributes.join("")}>${content}</${element.nodeName}>`;
}

/** The value that an attribute may have on a page, or undefined. */
function attribute(element: Element, name: string, value: string, look: Look): string | undefined {
  const own = (id: string) => look.ids.has(id) ? look.prefix + id : undefined;
  if (name === "id") return own(value);
  if (name.endsWith("href")) {
    if (element.nodeName === "image") return /^data:image\/(png|jpeg|gif|webp);base64,/.test(value) ? value : undefined;
    if (!value.startsWith("#")) return undefined;
    const inside = own(value.slice(1));
    return inside === undefined ? (element.nodeName === "a" ? value : undefined) : `#${inside}`;
  }
  const reference = /^url\(\s*["']?#([^"')]*)["']?\s*\)$/.exec(value)?.[1];
  if (reference !== undefined) return own(reference) && `url(#${own(reference)})`;
  // Functions and escapes of CSS.
  if (/url|script|expression|@import|\\/i.test(value)) return undefined;
  return COLOURED.has(name) ? colour(element, hexOf(value), look) : value;
}

const hexOf = (value: string): string =>
  NAMED[value.toLowerCase()] ?? (HEX.test(value.toLowerCase()) ? value.toLowerCase() : value);

/** A colour that a dark page may replace: variables are named by the colour, `page.css` has their dark values. */
function colour(element: Element, hex: string, { fixed }: Look): string {
  const isRoot = element.parentNode?.nodeType !== 1;
  const isCard = element.nodeName === "rect" && element.parentNode?.parentNode?.nodeType !== 1 && hex === "#ffffff";
  if (isCard) return "var(--card,#ffffff)";
  if (isRoot) return INKS.has(hex) ? "currentColor" : hex;
  if (fixed || !hex.startsWith("#")) return hex;
  if (element.nodeName === "text" && hex === "#ffffff") return hex;
  if (hex === "#ffffff") return "var(--card,#ffffff)";
  return INKS.has(hex) ? "currentColor" : `var(--c${hex.slice(1)},${hex})`;
}
