import type * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-shape"
import {
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from "d3-shape";
import { COLOURS, type SeriesStyle } from "./palette.ts";

const SHAPES: Readonly<Record<string, Parameters<typeof symbol>[0]>> = {
  ...{ circle: symbolCircle, square: symbolSquare, triangle: symbolTriangle, diamond: symbolDiamond },
  ...{ cross: symbolCross, star: symbolStar, wye: symbolWye },
};

/**
 * One colour a series, where the colours of a plot stand for names and the caller chose none: the palette in turn. From
 * the eighth series on colours come back, a hair's breadth changed so that each series can still be found by its own.
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
    if (line.closest("marker") !== null) continue;
    const style = styleOf(line);
    if (style === undefined || style.dash === "none" || paint(line, "stroke-dasharray") !== undefined) continue;
    line.setAttribute("stroke-dasharray", style.dash);
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

function replaceDot(dot: Element, name: string): void {
  const r = Number(dot.getAttribute("r") ?? 3);
  const path = dot.ownerDocument.createElementNS("http://www.w3.org/2000/svg", "path");
  const [cx, cy] = [Number(dot.getAttribute("cx") ?? 0), Number(dot.getAttribute("cy") ?? 0)];
  for (const { name: attribute, value } of [...dot.attributes]) {
    if (!["cx", "cy", "r"].includes(attribute)) path.setAttribute(attribute, value);
  }
  path.setAttribute("d", symbol(SHAPES[name]!, Math.PI * r * r)()!);
  const place = cx === 0 && cy === 0 ? "" : `translate(${cx},${cy})`;
  const before = dot.getAttribute("transform") ?? "";
  if (place + before !== "") path.setAttribute("transform", [before, place].filter((part) => part !== "").join(" "));
  dot.replaceWith(path);
}
