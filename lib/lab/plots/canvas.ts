import * as Plot from "@observablehq/plot";
import { DOMParser } from "linkedom";
import { CARD, INK } from "./palette.ts";
import { cleanLabel, inertLetters, LINE_HEIGHT, TEXT_SIZE, textBoxes, upright, wrapText } from "./text.ts";

const XMLNS = "http://www.w3.org/2000/svg";
const FONT = "DejaVu Sans, Verdana, sans-serif";
const GEOMETRY = ["transform", "d", "x", "y", "x1", "x2", "y1", "y2", "width", "height", "cx", "cy", "r"];

/** Pixels from edge to edge of a figure, unless another width is asked for. */
export const WIDTH = 720;

interface TextStyle {
  readonly size?: number;
  readonly anchor?: "middle";
  readonly weight?: "bold" | undefined;
  /** Where the text is put; the card unless given. */
  readonly into?: Element;
}

/** A white card to draw on. Coordinates are pixels from its top left corner. */
export type Canvas = ReturnType<typeof createCanvas>;

/**
 * An empty card.
 *
 * The document is XML, so that every label is escaped, in attributes too. Plot's stylesheet is left behind and its
 * content moved into groups: an SVG without style, script or id means the same wherever it is shown.
 */
export function createCanvas(width: number, textSize: number) {
  const document = createDocument(), root = document.documentElement;
  const lineHeight = Math.round(textSize * LINE_HEIGHT / TEXT_SIZE);
  const element = (name: string, attributes: Record<string, string | number | undefined>): Element => {
    const made = document.createElementNS(XMLNS, name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined) made.setAttribute(key, String(value));
    }
    return made;
  };
  /** One line of text, its baseline at `y`. */
  const text = (
    label: string,
    x: number,
    y: number,
    { size = textSize, anchor, weight, into = root }: TextStyle = {},
  ) => {
    const look = { "font-size": size, "text-anchor": anchor ?? "start", "font-weight": weight };
    const text = element("text", { x, y, ...look });
    text.textContent = cleanLabel(label);
    into.append(text);
  };
  /** An SVG that Plot drew into `document`, its top left corner at (x, y). */
  const embed = (svg: Element, x: number, y: number) => {
    const group = element("g", { transform: `translate(${x},${y})`, "text-anchor": "middle" });
    group.append(...[...svg.childNodes].filter(({ nodeName }) => nodeName !== "style"));
    for (const text of group.querySelectorAll("text")) cleanText(text);
    root.append(group);
  };
  /**
   * A Plot with its own scales and axes, its top left corner at (x, y). Title, caption, legend and clip are not for
   * here.
   */
  const plot = (options: Plot.PlotOptions, x: number, y: number) =>
    embed(Plot.plot({ ...options, document }) as SVGSVGElement, x, y);
  return {
    /** `width`: pixels from edge to edge; `textSize`: of ordinary text; `document`: for `Plot.plot({ document })`. */
    ...{ width, textSize, lineHeight, document, root, text, embed, plot },
    /** Lines of text below one another; returns the `y` below the last. */
    lines(labels: readonly string[], x: number, y: number): number {
      labels.forEach((label, i) => text(label, x, y + i * lineHeight));
      return y + labels.length * lineHeight;
    },
    /** The title, in a group that tells its height so that it can be taken away; returns the `y` below it. */
    title(label: string, y: number): number {
      const lines = wrapText(label, width - 32, textSize * 1.25);
      const height = Math.ceil(lines.length * lineHeight * 1.25), into = element("g", { "data-title": height });
      root.append(into);
      const style = { size: textSize + 2, weight: "bold", into } as const;
      lines.forEach((line, i) => text(line, 16, y + textSize + 2 + i * lineHeight * 1.25, style));
      return y + height;
    },
    /** Plot marks whose coordinates are pixels of the card. */
    marks(...marks: Plot.Markish[]) {
      const pixels = { type: "identity" } as const;
      plot({ width, height: width, margin: 0, axis: null, x: pixels, y: pixels, marks }, 0, 0);
    },
    /** The finished SVG document. */
    toSvg(height: number, alt: string): string {
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
}

/** Text in lines (`<tspan>`s) keeps them; only its letters are made fit for XML. */
function cleanText(node: Node): void {
  for (const child of [...node.childNodes]) {
    if (child.nodeType !== 3) cleanText(child);
    else child.textContent = inertLetters(child.textContent ?? "");
  }
}

/** Tenths of a pixel: finer places are not seen, and the last bits of a logarithm must not change a figure's bytes. */
function roundGeometry(shape: Element): void {
  for (const name of GEOMETRY) {
    const value = shape.getAttribute(name);
    if (value?.includes(".")) shape.setAttribute(name, value.replace(/-?\d+\.\d+(?:e-?\d+)?/g, roundText));
  }
}

const roundText = (number: string): string => String(Math.round(Number(number) * 10) / 10 + 0);

/** The document of an SVG's text. */
export function parseSvg(svg: string): Document {
  return new DOMParser().parseFromString(svg, "image/svg+xml") as unknown as Document;
}

/** A new XML document with an empty SVG: every label is escaped when it is written, in attributes too. */
export function createDocument(): Document {
  const made = parseSvg(`<svg xmlns="${XMLNS}"></svg>`);
  const createElement = made.createElement.bind(made);
  made.createElement = ((name: string) => {
    const element = createElement(name);
    return name === "canvas" ? Object.assign(element, CANVAS) : element;
  }) as typeof made.createElement;
  const createElementNS = made.createElementNS.bind(made);
  made.createElementNS = ((namespace: string, name: string) => {
    const element = createElementNS(namespace, name);
    // Plot.tip sizes its box by the text in it.
    return name === "g" || name === "text" ? Object.assign(element, { getBBox: () => boxOf(element) }) : element;
  }) as typeof made.createElementNS;
  return made;
}

/** The box around the texts in an element, in its own coordinates. */
function boxOf(element: Element): { x: number; y: number; width: number; height: number } {
  const size = element.closest("[font-size]")?.getAttribute("font-size") ?? "10";
  const alone = element.cloneNode(true) as Element;
  alone.removeAttribute("transform");
  const corners = textBoxes(alone, Number.parseFloat(size)).flatMap(({ corners }) => corners);
  const { left, right, top, bottom } = upright(corners.length > 0 ? corners : [[0, 0]]);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Serves Plot's own legend of a continuous scale, whose picture is thrown away: the figure draws its legend anew. */
const CANVAS = {
  getContext: () => ({ fillStyle: "", fillRect: () => {} }),
  toDataURL: () =>
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
};

/**
 * The document that Observable Plot draws into where there is no browser: `Plot.plot({ marks, document })`, the idiom
 * of Deno's documentation. `plot()` needs none.
 */
export const document: Document = createDocument();
