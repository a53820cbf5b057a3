import { parseSvg as documentOf } from "@/plots/document.ts";
import { overlappingTexts, type TextBox, textBoxes as boxesOf } from "@/plots/text_boxes.ts";

export { fontWidth } from "@/plots/text_boxes.ts";
export const textBoxes = (svg: string): TextBox[] => boxesOf(parseSvg(svg));
export const overlaps = (svg: string): string[] => overlappingTexts(parseSvg(svg));

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
export const parseSvg = (svg: string): Element => documentOf(svg).documentElement;

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
