/** A box in pixels of the whole figure. */
export interface TextBox {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** x' = a·x + c·y + e, y' = b·x + d·y + f, as in SVG. */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
type Point = readonly [x: number, y: number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Widths of DejaVu Sans for U+0020 to U+007E, in hundredths of an em, from the font's hmtx table. */
// deno-fmt-ignore
const ADVANCES = [
  32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84,
  84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61,
  69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59,
  82, 59, 59, 52, 64, 34, 64, 84,
];
const OTHERS: Readonly<Record<string, number>> = {
  ...{ "−": 84, "–": 50, "…": 100, "λ": 59, "Δ": 68, "Γ": 56, "↑": 84, "↓": 84, "→": 84, "←": 84, "·": 32, "²": 40 },
  ...{ "±": 84, "×": 84, "≤": 84, "≥": 84, "√": 64, "\u00a0": 32, "\u200b": 0 },
};

/** Width of a text in DejaVu Sans, in ems; combining marks have none, and letters unknown here count as wide. */
export function fontWidth(text: string): number {
  const letters = [...text.replace(/\p{M}/gu, "")];
  return letters.reduce((sum, letter) => sum + (ADVANCES[letter.charCodeAt(0) - 32] ?? OTHERS[letter] ?? 100), 0) / 100;
}

/**
 * Where the texts under an SVG element stand, by the font's own widths; bold letters are reckoned a tenth wider. A text
 * of several lines (`<tspan>`s) gives a box a line; a rotated one the box around it. Hidden and empty texts have none.
 */
export function textBoxes(root: Element): TextBox[] {
  return [...root.querySelectorAll("text")].flatMap((text) => {
    if (inherited(text, "visibility") === "hidden") return [];
    const matrix = matrixOf(text);
    return linesOf(text).map(({ words, corners }) => ({
      text: words,
      ...around(corners.map((at) => move(at, matrix))),
    }));
  });
}

/** Pairs of texts that cover each other, as `first / second`. */
export function overlaps(boxes: readonly TextBox[]): string[] {
  return boxes.flatMap((a, i) =>
    boxes.slice(i + 1)
      .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `${a.text} / ${b.text}`)
  );
}

/** The box of the texts in an element, in the element's own coordinates: what `getBBox` gives of them in a browser. */
export function svgBox(element: Element): { x: number; y: number; width: number; height: number } {
  const texts = element.nodeName === "text" ? [element] : [...element.querySelectorAll("text")];
  const corners = texts.flatMap((text) => linesOf(text).flatMap((line) => line.corners));
  if (corners.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const { left, right, top, bottom } = around(corners);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The lines of a text element, in its own coordinates. */
function linesOf(text: Element): { words: string; corners: readonly Point[] }[] {
  const size = Number.parseFloat(inherited(text, "font-size") ?? "10");
  const bold = /bold|[6-9]00/.test(inherited(text, "font-weight") ?? "") ? 1.1 : 1;
  const before = { start: 0, middle: 0.5, end: 1 }[inherited(text, "text-anchor") ?? "start"] ?? 0;
  let x = lengthOf(text, "x", size);
  let y = lengthOf(text, "y", size) + lengthOf(text, "dy", size);
  const spans = [...text.children].filter(({ nodeName }) => nodeName === "tspan");
  const place = (words: string): { words: string; corners: readonly Point[] } => {
    const width = fontWidth(words) * size * bold;
    const left = x + lengthOf(text, "dx", size) - before * width;
    const [top, bottom] = [y - 0.75 * size, y + 0.2 * size];
    return { words, corners: [[left, top], [left + width, top], [left + width, bottom], [left, bottom]] };
  };
  const whole = text.textContent ?? "";
  const lines = spans.length === 0 ? [place(whole)] : spans.map((span) => {
    if (span.hasAttribute("x")) x = lengthOf(span, "x", size);
    if (span.hasAttribute("y")) y = lengthOf(span, "y", size);
    y += lengthOf(span, "dy", size);
    return place(span.textContent ?? "");
  });
  return lines.filter(({ words }) => words.trim() !== "");
}

function around(corners: readonly Point[]): { left: number; right: number; top: number; bottom: number } {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/** An attribute of the element or of the nearest one above it that has it. */
function inherited(element: Element, name: string): string | undefined {
  for (let node: Element | null = element; node !== null && node !== undefined; node = node.parentElement) {
    const value = node.getAttribute(name);
    if (value !== null && value !== undefined) return value;
  }
}

/** All transforms from the element up to the root, as one. */
function matrixOf(element: Element): Matrix {
  let matrix = IDENTITY;
  for (let node: Element | null = element; node !== null && node !== undefined; node = node.parentElement) {
    matrix = times(transform(node.getAttribute("transform") ?? ""), matrix);
  }
  return matrix;
}

function transform(text: string): Matrix {
  return [...text.matchAll(/(translate|rotate|scale)\(([^)]*)\)/g)].reduce<Matrix>((matrix, [, name, list]) => {
    const [a = 0, b, c] = list!.split(/[\s,]+/).filter((part) => part !== "").map(Number);
    if (name === "translate") return times(matrix, [1, 0, 0, 1, a, b ?? 0]);
    if (name === "scale") return times(matrix, [a, 0, 0, b ?? a, 0, 0]);
    const [cos, sin] = [Math.cos(a * Math.PI / 180), Math.sin(a * Math.PI / 180)];
    const turn: Matrix = [cos, sin, -sin, cos, 0, 0];
    const about = b === undefined || c === undefined
      ? turn
      : times(times([1, 0, 0, 1, b, c], turn), [1, 0, 0, 1, -b, -c]);
    return times(matrix, about);
  }, IDENTITY);
}

const times = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix =>
  [
    ...[a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j],
    ...[a * k + c * l + e, b * k + d * l + f],
  ] as unknown as Matrix;

const move = ([x, y]: Point, [a, b, c, d, e, f]: Matrix): Point => [a * x + c * y + e, b * x + d * y + f];

/** A length in pixels; `em` is of the text's size. */
function lengthOf(element: Element, name: string, size: number): number {
  const text = element.getAttribute(name);
  if (text === null || text === undefined || text === "") return 0;
  return Number.parseFloat(text) * (text.endsWith("em") ? size : 1);
}
