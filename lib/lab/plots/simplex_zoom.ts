import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { extent } from "d3-array";
import { LINK, linkRow, type Point, shareLine, triangle } from "./marks.ts";
import { INK, MUTED, RULE, SHADE } from "./palette.ts";

interface Box {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

type Segment = readonly [Point, Point];

interface SimplexZoom {
  /** Options of the plot: its scales, without axes. */
  readonly scales: Pick<Plot.PlotOptions, "axis" | "aspectRatio" | "x" | "y">;
  /** Grid, edges, labels and the inset; draw the runs after them. */
  readonly frame: Plot.Markish[];
}

/**
 * The part of the triangle of three options where the runs are, with the whole triangle small beside it and the part
 * marked in it. For runs that stay in one corner, where `simplexFrame` would leave most of the picture empty.
 *
 * Lines of equal share are named at the edge: the first option's at the left, the second's above, the third's below.
 *
 * @param points all that is to be drawn, as `simplexPoint` gives them; at least one.
 * @param options `letters` of the top, lower left and lower right corner.
 * @throws {RangeError} where there is no point, since then there is no part to show.
 *
 * @example
 * ```ts ignore
 * const { scales, frame } = simplexZoom(paths, { letters: ["A", "B", "C"] });
 * plot({ name, about, ...scales, marks: [...frame, Plot.line(paths, { x: "x", y: "y", z: "replicate" })] });
 * ```
 */
export function simplexZoom(
  points: readonly Point[],
  { letters }: { readonly letters: readonly [string, string, string] },
): SimplexZoom {
  if (points.length === 0) throw new RangeError("a zoomed triangle needs at least one point to show");
  const box = windowOf(points);
  const width = box.x[1] - box.x[0], size = width * INSET;
  // The inset stands beside the window, at its top: x and y of the triangle's lower middle.
  const place = { x: box.x[1] + width * GAP + size / 2, y: box.y[1] - size };
  return {
    scales: {
      ...{ axis: null, aspectRatio: 1 },
      x: { domain: [box.x[0], box.x[1] + width * (GAP + INSET + GAP / 2)] },
      y: { domain: [...box.y] },
    },
    frame: [...grid(box, letters), ...inset(box, { letters, size, place })],
  };
}

/** Widths in that of the window: from window to inset, and of the inset. */
const GAP = 0.1, INSET = 0.3;
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2];

/** The points with room around them, never narrower than 0.1 nor than a good picture is. */
function windowOf(points: readonly Point[]): Box {
  const [x, y] = [extent(points, ({ x }) => x), extent(points, ({ y }) => y)] as [[number, number], [number, number]];
  const pad = 0.08 * Math.max(x[1] - x[0], y[1] - y[0], 0.08);
  const height = Math.max(y[1] - y[0] + 2 * pad, 0.6 * (x[1] - x[0] + 2 * pad), 0.06);
  const width = Math.max(x[1] - x[0] + 2 * pad, 1.25 * height);
  const around = ([low, high]: [number, number], length: number) =>
    [(low + high - length) / 2, (low + high + length) / 2] as const;
  return { x: around(x, width), y: around(y, height) };
}

/** Lines of equal share within the window, named where they leave it. */
function grid(box: Box, letters: readonly string[]): Plot.Markish[] {
  const span = box.x[1] - box.x[0];
  const step = STEPS.find((step) => span / step <= 6) ?? 0.25;
  const shares = Array.from({ length: Math.round(1 / step) }, (_, i) => i * step);
  const lines = [0, 1, 2].flatMap((k) =>
    shares.flatMap((share) => {
      const line = clip(shareLine(k, share), box);
      return line ? [{ k, share, line }] : [];
    })
  );
  const [inside, edges] = [true, false].map((inside) => lines.filter(({ share }) => share > 0 === inside));
  const named = inside!.flatMap(({ k, share, line }) => {
    const end = line.find((point) => leaves(point, k, box));
    return end ? [{ k, ...end, label: `${letters[k]} ${Math.round(100 * share)} %` }] : [];
  });
  const label = (k: number, options: Plot.TextOptions) =>
    Plot.text(named.filter((one) => one.k === k), { x: "x", y: "y", text: "label", fill: MUTED, ...options });
  return [
    Plot.rect([0], { x1: box.x[0], x2: box.x[1], y1: box.y[0], y2: box.y[1], stroke: INK }),
    Plot.link(inside!.map(({ line }) => linkRow(line)), { ...LINK, stroke: RULE }),
    Plot.link(edges!.map(({ line }) => linkRow(line)), { ...LINK, stroke: INK, strokeWidth: 1.4 }),
    label(0, { textAnchor: "end", dx: -6 }),
    label(1, { lineAnchor: "bottom", dy: -6 }),
    label(2, { lineAnchor: "top", dy: 6 }),
  ];
}

/** True at the end where a line of option `k` is named: at the left, the top or the bottom edge. */
function leaves({ x, y }: Point, k: number, box: Box): boolean {
  const near = (a: number, b: number) => Math.abs(a - b) < 1e-9;
  return k === 0 ? near(x, box.x[0]) : near(y, box.y[k === 1 ? 1 : 0]);
}

/** The part of a segment inside the box; undefined where there is none. */
function clip([a, b]: Segment, box: Box): Segment | undefined {
  let [from, to] = [0, 1];
  for (const axis of ["x", "y"] as const) {
    const length = b[axis] - a[axis];
    const [low, high] = box[axis];
    if (Math.abs(length) < 1e-12) {
      if (a[axis] < low || a[axis] > high) return undefined;
      continue;
    }
    const [first, last] = [(low - a[axis]) / length, (high - a[axis]) / length].sort((p, q) => p - q);
    [from, to] = [Math.max(from, first!), Math.min(to, last!)];
  }
  const at = (share: number) => ({ x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) });
  return from < to ? [at(from), at(to)] : undefined;
}

/** The whole triangle, small, with the window in it. */
function inset(
  box: Box,
  { letters, size, place }: { letters: readonly string[]; size: number; place: Point },
): Plot.Markish[] {
  const small = ({ x, y }: Point): Point => ({ x: place.x + x * size, y: place.y + y * size });
  const [low, high] = [small({ x: box.x[0], y: box.y[0] }), small({ x: box.x[1], y: box.y[1] })];
  return [
    Plot.rect([0], { x1: low.x, x2: high.x, y1: low.y, y2: high.y, fill: SHADE, stroke: MUTED }),
    ...triangle(letters, { at: small, dy: [4, 5] }),
  ];
}
