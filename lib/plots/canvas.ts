import * as Plot from "@observablehq/plot";
import { CARD, INK } from "./palette.ts";
import { createDocument } from "./document.ts";
import { cleanLabel, inertLetters } from "./text.ts";

const XMLNS = "http://www.w3.org/2000/svg";
const FONT = "DejaVu Sans, Verdana, sans-serif";
const GEOMETRY = ["transform", "d", "x", "y", "x1", "x2", "y1", "y2", "width", "height", "cx", "cy", "r"];

/** Sizes that stay readable when the figure is shown 720 pixels wide. */
export const WIDTH = 720;
export const TEXT_SIZE = 12;
export const LINE_HEIGHT = 16;

export interface TextStyle {
  readonly size?: number;
  readonly anchor?: "start" | "middle" | "end";
  readonly weight?: "bold";
  readonly fill?: string;
}

/** A white card to draw on. Coordinates are pixels from its top left corner. */
export interface Canvas {
  /** Pixels from edge to edge. */
  readonly width: number;
  /** Of ordinary text, in pixels. */
  readonly textSize: number;
  readonly lineHeight: number;
  /** What the card is drawn into, for `Plot.plot({ document })`. */
  readonly document: Document;
  /** The SVG as drawn so far. */
  readonly root: Element;
  /** One line of text, its baseline at `y`. */
  text(label: string, x: number, y: number, style?: TextStyle): void;
  /** Lines of text below one another; returns the `y` below the last. */
  lines(labels: readonly string[], x: number, y: number, style?: TextStyle): number;
  /** An SVG that Plot drew into `document`, its top left corner at (x, y). */
  embed(svg: Element, x: number, y: number): void;
  /** A Plot with its own scales and axes, its top left corner at (x, y). Title, caption, legend and clip are not for here. */
  plot(options: Plot.PlotOptions, x: number, y: number): Plot.Plot;
  /** Plot marks whose coordinates are pixels of the card. */
  marks(...marks: Plot.Markish[]): void;
  /** The finished SVG document. */
  toSvg(height: number, alt: string): string;
}

/**
 * An empty card, by default 720 pixels wide.
 *
 * The document is XML, so that every label is escaped, in attributes too. Plot's stylesheet is left behind and its
 * content moved into groups: an SVG without style, script or id means the same wherever it is shown.
 */
export function createCanvas(
  { width = WIDTH, textSize = TEXT_SIZE }: { width?: number; textSize?: number } = {},
): Canvas {
  const document = createDocument();
  const lineHeight = Math.round(textSize * LINE_HEIGHT / TEXT_SIZE);
  const root = document.documentElement;

  const element = (name: string, attributes: Record<string, string | number | undefined>): Element => {
    const made = document.createElementNS(XMLNS, name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined) made.setAttribute(key, String(value));
    }
    return made;
  };

  const canvas: Canvas = {
    ...{ width, textSize, lineHeight, document, root },
    text(label, x, y, { size = textSize, anchor = "start", weight, fill } = {}) {
      const text = element("text", { x, y, "font-size": size, "text-anchor": anchor, "font-weight": weight, fill });
      text.textContent = cleanLabel(label);
      root.append(text);
    },
    lines(labels, x, y, style) {
      labels.forEach((label, i) => canvas.text(label, x, y + i * lineHeight, style));
      return y + labels.length * lineHeight;
    },
    embed(svg, x, y) {
      const group = element("g", { transform: `translate(${x},${y})`, "text-anchor": "middle" });
      group.append(...[...svg.childNodes].filter(({ nodeName }) => nodeName !== "style"));
      for (const text of group.querySelectorAll("text")) cleanText(text);
      root.append(group);
    },
    plot(options, x, y) {
      const plot = Plot.plot({ ...options, document }) as SVGSVGElement & Plot.Plot;
      canvas.embed(plot, x, y);
      return plot;
    },
    marks(...marks) {
      canvas.plot(
        {
          ...{ width, height: width, margin: 0, axis: null },
          ...{ x: { type: "identity" }, y: { type: "identity" }, marks },
        },
        0,
        0,
      );
    },
    toSvg(height, alt) {
      const card = { width, height: Math.ceil(height) };
      root.prepend(element("rect", { ...card, fill: CARD }));
      const look = { "font-family": FONT, "font-size": textSize, fill: INK, color: INK };
      const attributes = { ...card, viewBox: `0 0 ${card.width} ${card.height}`, ...look, role: "img" };
      for (const [key, value] of Object.entries(attributes)) root.setAttribute(key, String(value));
      root.setAttribute("aria-label", cleanLabel(alt));
      for (const shape of root.querySelectorAll("*")) roundGeometry(shape);
      return root.outerHTML;
    },
  };
  return canvas;
}

/** Text in lines (`<tspan>`s) keeps them; only its letters are made fit for XML. */
function cleanText(node: Node): void {
  for (const child of [...node.childNodes]) {
    if (child.nodeType !== 3) cleanText(child);
    else child.textContent = inertLetters(child.textContent ?? "");
  }
}

/** Hundredths of a pixel: the last bits of a logarithm must not change the bytes of a figure. */
function roundGeometry(shape: Element): void {
  for (const name of GEOMETRY) {
    const value = shape.getAttribute(name);
    if (value?.includes(".")) shape.setAttribute(name, value.replace(/-?\d+\.\d+(?:e-?\d+)?/g, roundText));
  }
}

const roundText = (number: string): string => String(Math.round(Number(number) * 100) / 100 + 0);
