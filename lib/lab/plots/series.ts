import type * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-shape"
import * as shape from "d3-shape";
import { COLOURS } from "./palette.ts";

const SHAPES = {
  circle: shape.symbolCircle,
  square: shape.symbolSquare,
  triangle: shape.symbolTriangle,
  diamond: shape.symbolDiamond,
  cross: shape.symbolCross,
  star: shape.symbolStar,
  wye: shape.symbolWye,
};
type Shape = keyof typeof SHAPES;
const SYMBOLS = Object.keys(SHAPES) as Shape[];
const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "14 4"] as const;

export type SymbolName = Shape | "times";

/** The marks of one series: a colour, and a shape and dash for those who do not see the colour. */
export interface SeriesStyle {
  readonly colour: string;
  readonly symbol: Shape;
  readonly dash: string;
}

/** The style of series `index`; colours come back after seven, then with another symbol and dash. */
export function seriesStyle(index: number): SeriesStyle {
  const turn = Math.floor(index / COLOURS.length);
  return {
    colour: COLOURS[index % COLOURS.length]!,
    symbol: SYMBOLS[(index + turn) % SYMBOLS.length]!,
    dash: DASHES[(index + turn) % DASHES.length]!,
  };
}

/**
 * One colour a series: the palette in turn, for plots whose colours stand for names and have no range or scheme given.
 * From the eighth series on the palette repeats with imperceptible changes, so that each series has its own colour.
 */
export function seriesColours(svg: Plot.Plot, given: Plot.ScaleOptions | undefined): string[] | undefined {
  const scale = svg.scale("color");
  if (scale === undefined || !/ordinal|categorical/.test(scale.type ?? "")) return undefined;
  if (given?.range !== undefined || given?.scheme !== undefined || given?.type === "identity") return undefined;
  return Array.from(scale.domain ?? [], (_, i) => nearly(COLOURS[i % COLOURS.length]!, Math.floor(i / COLOURS.length)));
}

function nearly(colour: string, turn: number): string {
  const value = parseInt(colour.slice(1), 16);
  const blue = value & 255;
  return `#${((value & ~255) | (blue > 128 ? blue - turn : blue + turn)).toString(16).padStart(6, "0")}`;
}

/**
 * Gives the lines of each series their dash and its dots their symbol, so that colour never stands alone. Lines with a
 * dash and dots with a symbol of their own keep them.
 */
export function styleSeries(svg: Element, styles: readonly SeriesStyle[]): void {
  const byColour = new Map(styles.map((style) => [style.colour, style]));
  if (byColour.size < 2) return;
  const styleOf = (element: Element) =>
    byColour.get(paint(element, "stroke") ?? "") ?? byColour.get(paint(element, "fill") ?? "");
  for (const line of svg.querySelectorAll('g[aria-label="line"] path')) {
    const { dash = "none" } = styleOf(line) ?? {};
    if (dash === "none" || line.closest("marker") !== null || paint(line, "stroke-dasharray") !== undefined) continue;
    line.setAttribute("stroke-dasharray", dash);
  }
  for (const dot of svg.querySelectorAll('g[aria-label="dot"] circle, marker > circle')) {
    const style = styleOf(dot);
    if (style !== undefined && style.symbol !== "circle") replaceDot(dot, style.symbol);
  }
}

/** An attribute of a shape or of the groups that hold it, up to its mark's; each facet is a group of its own. */
export function paint(element: Element, name: string): string | undefined {
  const own = element.getAttribute(name);
  if (own !== null) return own;
  const { parentElement } = element;
  const isWhole = element.hasAttribute("aria-label") || parentElement === null;
  return isWhole ? undefined : paint(parentElement, name);
}

function replaceDot(dot: Element, name: Shape): void {
  const r = Number(dot.getAttribute("r") ?? 3);
  const path = dot.ownerDocument.createElementNS("http://www.w3.org/2000/svg", "path");
  const [cx, cy] = [Number(dot.getAttribute("cx") ?? 0), Number(dot.getAttribute("cy") ?? 0)];
  for (const { name: attribute, value } of [...dot.attributes]) {
    if (!["cx", "cy", "r"].includes(attribute)) path.setAttribute(attribute, value);
  }
  path.setAttribute("d", shape.symbol(SHAPES[name], Math.PI * r * r)()!);
  const places = [dot.getAttribute("transform"), cx === 0 && cy === 0 ? undefined : `translate(${cx},${cy})`];
  const transform = places.filter((place) => place).join(" ");
  if (transform !== "") path.setAttribute("transform", transform);
  dot.replaceWith(path);
}
