import * as Plot from "@observablehq/plot";
import { MUTED } from "./palette.ts";

/** Diagonal strokes over a box in pixels: the sign for a value that does not exist. A pattern would need an id. */
export function hatchMark({ x1, x2, y1, y2 }: { x1: number; x2: number; y1: number; y2: number }): Plot.Markish {
  const [width, height] = [x2 - x1, y2 - y1];
  const strokes = [];
  for (let start = 12; start < width + height; start += 12) {
    // From the left or lower edge to the top or right one.
    const [lowX, lowY] = start <= height ? [0, start] : [start - height, height];
    const [highX, highY] = start <= width ? [start, 0] : [width, start - width];
    strokes.push({ x1: x1 + lowX, y1: y1 + lowY, x2: x1 + highX, y2: y1 + highY });
  }
  const ends = { x1: "x1", x2: "x2", y1: "y1", y2: "y2" };
  return Plot.link(strokes, { ...ends, stroke: MUTED, strokeWidth: 1, strokeOpacity: 0.25 });
}
