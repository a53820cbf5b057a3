import { COLOURS, INK, MUTED, RULE } from "../../plots/palette.ts";
import { svgElement } from "../dom.ts";
import type { RunRound } from "./data.ts";
import { keyDrawing } from "./divergence_chart.ts";

/** Outlines around the origin, of radius r, that differ without colours. */
const SHAPES: readonly ((r: number) => string)[] = [
  (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (r) => `M${-0.85 * r} ${-0.85 * r}h${1.7 * r}v${1.7 * r}h${-1.7 * r}z`,
  (r) => `M0 ${-1.1 * r}l${1.05 * r} ${1.85 * r}h${-2.1 * r}z`,
  (r) => `M0 ${-1.2 * r}l${1.2 * r} ${1.2 * r}l${-1.2 * r} ${1.2 * r}l${-1.2 * r} ${-1.2 * r}z`,
  (r) => `M${-r} ${-r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`,
];

/** A seat's outline at a place. Seats grow in size, so that several at one place all stay visible. */
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

type Point = readonly [x: number, y: number];

/** Where the triangle of three options stands. */
interface Triangle {
  readonly top: Point;
  readonly left: Point;
  readonly right: Point;
}

const HEAD = 26;
const FOOT = 44;
const MOST = 380;

export function triangle(width: number): Triangle {
  const side = Math.min(width - 2 * MARGIN, MOST), x = width / 2, bottom = HEAD + (side * Math.sqrt(3)) / 2;
  return { top: [x, HEAD], left: [x - side / 2, bottom], right: [x + side / 2, bottom] };
}

/** Room for outlines at a corner. */
const MARGIN = 16;

export const triangleHeight = (width: number): number => triangle(width).left[1] + FOOT;

/** The corners weighted by the shares. */
export function placeIn({ top, left, right }: Triangle, [a = 0, b = 0, c = 0]: readonly number[]): Point {
  return [a * top[0] + b * left[0] + c * right[0], a * top[1] + b * left[1] + c * right[1]];
}

/** Every seat after a round, and the way of the committee's mean up to it. */
export function simplexMarks(rounds: readonly RunRound[], options: readonly string[], width: number): SVGElement[] {
  const corners = triangle(width);
  const now = rounds.at(-1)!;
  const way = rounds.map(({ mean }) => placeIn(corners, mean));
  const [start, end] = [way[0]!, way.at(-1)!];
  return [
    ...gridMarks(corners),
    ...cornerNames(corners, options, width),
    svgElement("path", { class: "way", d: pathOf(way), fill: "none", stroke: INK, "stroke-width": 1.5 }),
    ...now.seats.map(({ seat, preferences }) => seatMark(seat, ...placeIn(corners, preferences))),
    svgElement("circle", { cx: start[0], cy: start[1], r: 2.5, fill: "#fff", stroke: INK }),
    svgElement("circle", { class: "mean", cx: end[0], cy: end[1], r: 3.5, fill: INK, stroke: "#fff" }),
  ];
}

function gridMarks(corners: Triangle): SVGElement[] {
  const grid = [0.25, 0.5, 0.75].flatMap((share) => {
    const rest = 1 - share;
    const ends = [[[share, rest, 0], [share, 0, rest]], [[rest, share, 0], [0, share, rest]], [
      [rest, 0, share],
      [0, rest, share],
    ]];
    return ends.map((line) => pathOf(line.map((shares) => placeIn(corners, shares))));
  });
  const outline = `${pathOf([corners.top, corners.left, corners.right])}Z`;
  return [
    svgElement("path", { d: grid.join(""), stroke: RULE, "stroke-dasharray": "2 3", fill: "none" }),
    svgElement("path", { d: outline, stroke: MUTED, fill: "none" }),
  ];
}

/** The names of the two lower corners stand on two lines, since both may be long. */
function cornerNames({ top, left }: Triangle, [a, b, c]: readonly string[], width: number): SVGElement[] {
  const name = (x: number, y: number, anchor: string, text: string | undefined) =>
    svgElement("text", { x, y, "text-anchor": anchor, "font-weight": "bold" }, text ?? "");
  return [
    name(top[0], HEAD - 12, "middle", a),
    name(Math.max(left[0] - MARGIN, 0), left[1] + 24, "start", b),
    name(Math.min(width - left[0] + MARGIN, width), left[1] + 40, "end", c),
  ];
}

const pathOf = (points: readonly Point[]): string =>
  points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
