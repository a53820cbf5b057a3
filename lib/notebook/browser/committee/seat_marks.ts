import { COLOURS } from "../../../figures/palette.ts";
import { svgElement } from "../svg_element.ts";
import { keyDrawing } from "./divergence_chart.ts";

/** Outlines about the origin, of radius r: told apart without colours. */
const SHAPES: readonly ((r: number) => string)[] = [
  (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (r) => `M${-0.85 * r} ${-0.85 * r}h${1.7 * r}v${1.7 * r}h${-1.7 * r}z`,
  (r) => `M0 ${-1.1 * r}l${1.05 * r} ${1.85 * r}h${-2.1 * r}z`,
  (r) => `M0 ${-1.2 * r}l${1.2 * r} ${1.2 * r}l${-1.2 * r} ${1.2 * r}l${-1.2 * r} ${-1.2 * r}z`,
  (r) => `M${-r} ${-r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`,
];

/** A seat's outline at a place. Seats grow in size, so that those at one place lie round each other. */
export function seatMark(seat: number, x: number, y: number, radius = 4 + 1.7 * seat): SVGElement {
  return svgElement("path", {
    class: "seat",
    d: SHAPES[seat % SHAPES.length]!(radius),
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
    fill: "none",
    stroke: COLOURS[seat % COLOURS.length],
    "stroke-width": 2.2,
  });
}

/** A seat's outline beside its name. */
export const seatKey = (seat: number): SVGElement => keyDrawing(seatMark(seat, 12, 7, 5));
