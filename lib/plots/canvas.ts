import * as Plot from "@observablehq/plot";
import { DOMParser } from "linkedom";
import { CARD, INK } from "./palette.ts";
import { cleanLabel } from "./text.ts";

const XMLNS = "http://www.w3.org/2000/svg";
const FONT = "DejaVu Sans, Verdana, sans-serif";
const GEOMETRY = ["transform", "d", "x", "y", "x1", "x2", "y1", "y2", "width", "height", "cx", "cy", "r"];

/** Sizes that stay readable when the figure is shown 720 pixels wide. */
export const WIDTH = 720;
export const TEXT_SIZE = 12;
/** The size to reckon with for bold text, which is wider. */
export const BOLD_SIZE = 13.4;
export const LINE_HEIGHT = 16;

export interface TextStyle {
  readonly size?: number;
  readonly anchor?: "start" | "middle" | "end";
  readonly weight?: "bold";
  readonly fill?: string;
}

/** A white card to draw on. Coordinates are pixels from its top left corner. */
export interface Canvas {
  /** One line of text, its baseline at `y`. */
  text(label: string, x: number, y: number, style?: TextStyle): void;
  /** Lines of text below one another; returns the `y` below the last. */
  lines(labels: readonly string[], x: number, y: number, style?: TextStyle): number;
  /** A Plot with its own scales and axes, its top left corner at (x, y). Title, caption, legend and clip are not for here. */
  plot(options: Plot.PlotOptions, x: number, y: number): Plot.Plot;
  /** Plot marks whose coordinates are pixels of the card. */
  marks(...marks: Plot.Markish[]): void;
  /** The finished SVG document. */
  toSvg(height: number, alt: string): string;
}

/**
 * An empty card of 720 pixels' width.
 *
 * The document is XML, so that every label is escaped, in attributes too. Plot's stylesheet is left behind and its
 * content moved into groups: an SVG without style, script or id means the same wherever it is shown.
 */
export function createCanvas(): Canvas {
  const xml = new DOMParser().parseFromString(`<svg xmlns="${XMLNS}"></svg>`, "image/svg+xml");
  const document = xml as unknown as Document;
  const root = document.documentElement;

  const element = (name: string, attributes: Record<string, string | number | undefined>): Element => {
    const made = document.createElementNS(XMLNS, name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined) made.setAttribute(key, String(value));
    }
    return made;
  };

  const canvas: Canvas = {
    text(label, x, y, { size = TEXT_SIZE, anchor = "start", weight, fill } = {}) {
      const text = element("text", { x, y, "font-size": size, "text-anchor": anchor, "font-weight": weight, fill });
      text.textContent = cleanLabel(label);
      root.append(text);
    },
    lines(labels, x, y, style) {
      labels.forEach((label, i) => canvas.text(label, x, y + i * LINE_HEIGHT, style));
      return y + labels.length * LINE_HEIGHT;
    },
    plot(options, x, y) {
      const plot = Plot.plot({ ...options, document }) as SVGSVGElement & Plot.Plot;
      const group = element("g", { transform: `translate(${x},${y})`, "text-anchor": "middle" });
      group.append(...[...plot.childNodes].filter(({ nodeName }) => nodeName !== "style"));
      for (const text of group.querySelectorAll("text")) text.textContent = cleanLabel(text.textContent ?? "");
      root.append(group);
      return plot;
    },
    marks(...marks) {
      canvas.plot(
        {
          ...{ width: WIDTH, height: WIDTH, margin: 0, axis: null },
          ...{ x: { type: "identity" }, y: { type: "identity" }, marks },
        },
        0,
        0,
      );
    },
    toSvg(height, alt) {
      const card = { width: WIDTH, height: Math.ceil(height) };
      root.prepend(element("rect", { ...card, fill: CARD }));
      const look = { "font-family": FONT, "font-size": TEXT_SIZE, fill: INK, color: INK };
      const attributes = { ...card, viewBox: `0 0 ${card.width} ${card.height}`, ...look, role: "img" };
      for (const [key, value] of Object.entries(attributes)) root.setAttribute(key, String(value));
      root.setAttribute("aria-label", cleanLabel(alt));
      for (const shape of root.querySelectorAll("*")) roundGeometry(shape);
      return root.outerHTML;
    },
  };
  return canvas;
}

/** Hundredths of a pixel: the last bits of a logarithm must not change the bytes of a figure. */
function roundGeometry(shape: Element): void {
  for (const name of GEOMETRY) {
    const value = shape.getAttribute(name);
    if (value?.includes(".")) shape.setAttribute(name, value.replace(/-?\d+\.\d+(?:e-?\d+)?/g, roundText));
  }
}

const roundText = (number: string): string => String(Math.round(Number(number) * 100) / 100 + 0);
