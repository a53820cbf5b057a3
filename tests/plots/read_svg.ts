import { DOMParser } from "linkedom";

export type Point = [x: number, y: number];

/** Marks of an SVG in pixels of the whole figure, with the paint they inherit. */
export interface Mark {
  /** Plot's name of the kind, such as `dot`, `line` or `rect`. */
  readonly kind: string;
  readonly fill: string | undefined;
  readonly stroke: string | undefined;
  readonly strokeWidth: string | undefined;
  readonly strokeDash: string | undefined;
}
export interface Dot extends Mark {
  readonly at: Point;
}
export interface Line extends Mark {
  /** One list of points for each unbroken part. */
  readonly parts: readonly Point[][];
}
export interface Box extends Mark {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export interface TextBox {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export function parseSvg(svg: string): Element {
  const document = new DOMParser().parseFromString(svg, "image/svg+xml") as unknown as Document;
  return document.documentElement;
}

/** The drawn text, in order. */
export const texts = (svg: string): string[] => [...parseSvg(svg).querySelectorAll("text")].map((t) => t.textContent!);

export function dots(svg: string): Dot[] {
  return shapes(svg, "dot").map(({ shape, ...mark }) => {
    const [x, y] = offset(shape);
    return { ...mark, at: [x + numberOf(shape, "cx"), y + numberOf(shape, "cy")] };
  });
}

export function lines(svg: string): Line[] {
  return shapes(svg, "line").map(({ shape, ...mark }) => {
    const [x, y] = offset(shape);
    const parts = (shape.getAttribute("d") ?? "").split("M").filter((part) => part !== "");
    return {
      ...mark,
      parts: parts.map((part) =>
        part.replace("Z", "").split("L").map((pair): Point => {
          const [a, b] = pair.split(",").map(Number);
          return [a! + x, b! + y];
        })
      ),
    };
  });
}

export function boxes(svg: string): Box[] {
  return shapes(svg, "rect").map(({ shape, ...mark }) => {
    const [x, y] = offset(shape);
    const [width, height] = [numberOf(shape, "width"), numberOf(shape, "height")];
    return { ...mark, x: x + numberOf(shape, "x"), y: y + numberOf(shape, "y"), width, height };
  });
}

/** Advance widths of DejaVu Sans for U+0020 to U+007E, in hundredths of an em, read from the font's hmtx table. */
const ADVANCES = [
  ...[
    32,
    40,
    46,
    84,
    64,
    95,
    78,
    27,
    39,
    39,
    50,
    84,
    32,
    36,
    32,
    34,
    64,
    64,
    64,
    64,
    64,
    64,
    64,
    64,
    64,
    64,
    34,
    34,
    84,
  ],
  ...[84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69],
  ...[61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39],
  ...[63, 59, 82, 59, 59, 52, 64, 34, 64, 84],
];
const OTHERS: Readonly<Record<string, number>> = { "−": 84, "–": 50, "…": 100, "λ": 59, "Δ": 68, "↑": 84 };

/** Width of a text in DejaVu Sans, in ems; combining marks have none. */
export function fontWidth(text: string): number {
  const letters = [...text.replace(/\p{M}/gu, "")];
  return letters.reduce((sum, c) => sum + (ADVANCES[c.charCodeAt(0) - 32] ?? OTHERS[c] ?? 100), 0) / 100;
}

/** Where texts stand, by the font's own widths; bold letters are reckoned a tenth wider. */
export function textBoxes(svg: string): TextBox[] {
  return [...parseSvg(svg).querySelectorAll("text")].map((text) => {
    const size = Number(inherited(text, "font-size"));
    const [dx, dy] = offset(text);
    const x = dx + numberOf(text, "x");
    const baseline = dy + length(text.getAttribute("y"), size) + length(text.getAttribute("dy"), size);
    const bold = inherited(text, "font-weight") === "bold" ? 1.1 : 1;
    const width = fontWidth(text.textContent!) * size * bold;
    const before = { start: 0, middle: 0.5, end: 1 }[inherited(text, "text-anchor") ?? "start"]!;
    const left = x - before * width;
    return {
      text: text.textContent!,
      left,
      right: left + width,
      top: baseline - 0.75 * size,
      bottom: baseline + 0.2 * size,
    };
  });
}

/** Pairs of texts that cover each other. */
export function overlaps(svg: string): string[] {
  const found = textBoxes(svg);
  return found.flatMap((a, i) =>
    found.slice(i + 1)
      .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `${a.text} / ${b.text}`)
  );
}

function shapes(svg: string, kind: string): (Mark & { shape: Element })[] {
  return [...parseSvg(svg).querySelectorAll(`g[aria-label="${kind}"]`)].flatMap((group) =>
    [...group.children].map((shape) => ({
      ...{ shape, kind, fill: inherited(shape, "fill"), stroke: inherited(shape, "stroke") },
      ...{ strokeWidth: inherited(shape, "stroke-width"), strokeDash: inherited(shape, "stroke-dasharray") },
    }))
  );
}

function inherited(element: Element | null, name: string): string | undefined {
  for (let node = element; node !== null; node = node.parentElement) {
    const value = node.getAttribute(name);
    if (value !== null && value !== undefined) return value;
  }
}

/** The sum of all translations above an element; figures use no other transform. */
function offset(element: Element): Point {
  let [x, y] = [0, 0];
  for (let node: Element | null = element; node !== null; node = node.parentElement) {
    const [, dx, dy] = /^translate\(([^,]+),([^)]+)\)$/.exec(node.getAttribute("transform") ?? "") ?? [, "0", "0"];
    x += Number(dx);
    y += Number(dy);
  }
  return [x, y];
}

const numberOf = (element: Element, name: string): number => Number(element.getAttribute(name) ?? 0);

const length = (text: string | null, size: number): number =>
  text === null || text === undefined ? 0 : text.endsWith("em") ? parseFloat(text) * size : Number(text);
