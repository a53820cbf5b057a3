import * as Plot from "@observablehq/plot";
import { COLOURS, INK, MUTED, RULE } from "./palette.ts";
import { fontWidth, LINE_HEIGHT, TEXT_SIZE, wrapText } from "./text.ts";

/** A column of a row by name, or what gives its value. */
type Channel = Plot.ChannelValueSpec;

/** The rounds of a fit as a band behind the curves, on an `x` of rounds. */
// Functions, not names of columns: these would stand in for the name of the axis.
export function fitWindow({ from, to }: { readonly from: number; readonly to: number }): Plot.Markish {
  return called(
    "frame",
    Plot.rectX([{ from, to }], { x1: (row) => row.from, x2: (row) => row.to, fill: INK, fillOpacity: 0.05 }),
  );
}

/** A mark under another name than its kind's: of a frame neither alt text nor the search for data takes notice. */
const called = (ariaLabel: string, mark: Plot.Markish): Plot.Markish =>
  Object.assign(mark as Plot.RenderableMark, { ariaLabel });

/** The panels that a mark's rows stand in. */
interface Facets {
  readonly fx?: Plot.ChannelValue;
  readonly fy?: Plot.ChannelValue;
}

/** Options of every mark for where it is drawn. */
interface Placed extends Facets {
  /** Pixels to the right and downwards, so that two values of a row can stand beside or below each other. */
  readonly dx?: number;
  readonly dy?: number;
}

/** The name of published values in the alt text. */
export const PUBLISHED = "published diamond";

/**
 * Estimates with their intervals, a row each: a dot at `x` on a line from `low` to `high`. Rows without an interval
 * have the dot alone, rows without an estimate say so.
 *
 * @param options `y`: the row's name; `stroke`: a colour or a column. Default: the first colour.
 */
export function intervalDots(
  rows: readonly object[],
  { x, low, high, y, stroke = COLOURS[0], ...placed }: Placed & {
    /** A column, or what gives the value of a row. */
    readonly x: Extract<Channel, string | ((row: never, index: number) => unknown)>;
    readonly low: Channel;
    readonly high: Channel;
    readonly y: Channel;
    readonly stroke?: string;
  },
): Plot.Markish[] {
  const unknown = (row: object, i: number) =>
    !Number.isFinite(typeof x === "function" ? x(row, i) : (row as Record<string, unknown>)[x]);
  const words = { text: () => "no estimate", frameAnchor: "left", dx: 6, fill: MUTED } as const;
  return [
    Plot.link(rows, { x1: low, x2: high, y1: y, y2: y, stroke, strokeWidth: 2.5, strokeDasharray: "none", ...placed }),
    Plot.dot(rows, { x, y, stroke, fill: stroke, r: 4, ...placed }),
    ...(rows.some(unknown) ? [Plot.text(rows, { ...words, y, filter: unknown, ...placed })] : []),
  ];
}

/** Published values as hollow diamonds; rows that lack one have none. */
export function publishedDiamonds(
  rows: readonly object[],
  { x, y, ...placed }: Placed & { readonly x: Channel; readonly y: Channel },
): Plot.Markish {
  const look = { symbol: "diamond", stroke: COLOURS[1], fill: "white", strokeWidth: 1.6, r: 5 } as const;
  return called(PUBLISHED, Plot.dot(rows, { x, y, ...look, ...placed }));
}

/**
 * Estimates `x` with their intervals, from the columns `low` and `high`, on a line at zero; where `published` names a column, its
 * values as diamonds `above` the dots. For other columns or another look write out these marks, `intervalDots` and
 * `publishedDiamonds`.
 */
export function forest(
  rows: readonly object[],
  { x, y, published, above = 9, stroke = COLOURS[0], ...facets }: {
    readonly x: string;
    /** The row's name. */
    readonly y: string;
    /** A colour or a column of the estimates. Default: the first colour. */
    readonly stroke?: string;
    readonly published?: string;
    /** Pixels from a dot up to its diamond. */
    readonly above?: number;
    readonly fx?: Plot.ChannelValue;
    readonly fy?: Plot.ChannelValue;
  },
): Plot.Markish[] {
  return [
    Plot.ruleX([0]),
    ...intervalDots(rows, { x, low: "low", high: "high", y, stroke, ...facets }),
    ...(published ? [publishedDiamonds(rows, { x: published, y, dy: -above, ...facets })] : []),
  ];
}

/** D(t) of each condition with its band, as `divergenceRows` gives them, over the shaded rounds of the `fit`, if any. */
export function divergenceCurves(
  rows: readonly object[],
  { fit, ...facets }: Facets & { readonly fit?: Parameters<typeof fitWindow>[0] } = {},
): Plot.Markish[] {
  const across = { x: "round", ...facets };
  return [
    ...(fit ? [fitWindow(fit)] : []),
    Plot.areaY(rows, { ...across, y1: "low", y2: "high", fill: "condition", fillOpacity: 0.12 }),
    Plot.lineY(rows, { ...across, y: "D", stroke: "condition", marker: "circle" }),
    ...equalRuns(rows, facets),
  ];
}

/**
 * Conditions whose D(t) is 0 in every round, each a dotted line at the foot of a log axis, which has no place for zero; a
 * linear one has. A panel says once what they are.
 *
 * @param rows as `divergenceRows` gives them.
 */
export function equalRuns(rows: readonly object[], facets: Facets = {}): Plot.Markish[] {
  const names = [facets.fx, facets.fy].map(String);
  const panelOf = (row: object | undefined) =>
    JSON.stringify(names.map((name) => (row as Record<string, unknown>)[name]));
  const given = rows as readonly { condition: string; D: number }[];
  const curves = Map.groupBy(given, (row) => JSON.stringify([panelOf(row), row.condition]));
  const equal = [...curves.values()].filter((own) => own.every(({ D }) => D === 0));
  const foot = { x: "round", frameAnchor: "bottom", ...facets } as const;
  const render: Plot.RenderFunction = (index, scales, values, dimensions, context, next) =>
    scales.scales.y?.type === "linear" ? null : next!(index, scales, values, dimensions, context);
  return [...Map.groupBy(equal, ([row]) => panelOf(row)).values()].flatMap((panel) => [
    ...panel.map((own, i) => atFoot(Plot.dot(own, { ...foot, fill: "condition", r: 2, dy: -4 - 6 * i, render }))),
    // On the right: curves that grow are at the foot on the left.
    Plot.text(panel[0]!.slice(-1), {
      ...foot,
      text: () => "0: all runs equal",
      textAnchor: "end",
      dy: -12 - 6 * panel.length,
    }),
  ]);
}

/** A mark whose rows need no place on a log axis. */
const atFoot = (mark: Plot.Markish): Plot.Markish => Object.assign(mark as Plot.RenderableMark, { atFoot: true });

/**
 * The place of preferences for three options (top, lower left, lower right corner; shares that sum to 1) in the
 * triangle.
 */
export function simplexPoint([top = 0, left = 0, right = 0]: readonly number[]): Point {
  return { x: (right - left) / 2 / (top + left + right), y: top * HEIGHT / (top + left + right) };
}

/** The places of preferences in the triangle, round by round, with the `first` and the `last` of them marked. */
export const simplexPath = (
  preferences: readonly (readonly number[])[],
): (Point & { first: boolean; last: boolean })[] =>
  preferences.map((shares, t) => ({ first: t === 0, last: t === preferences.length - 1, ...simplexPoint(shares) }));

const HEIGHT = Math.sqrt(3) / 2;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The line on which option `k` has that share, from edge to edge of the triangle. */
export function shareLine(k: number, share: number): [Point, Point] {
  const end = (other: number) =>
    simplexPoint([0, 1, 2].map((i) => i === k ? share : i === (k + other) % 3 ? 1 - share : 0));
  return [end(1), end(2)];
}

/** The edge of the triangle, and the names of its top and of its lower corners `dy` pixels above and below. */
export function triangle(
  labels: readonly string[],
  { at = (point) => point, dy }: { at?: (point: Point) => Point; dy: readonly [above: number, below: number] },
): [edge: Plot.Markish, top: Plot.Markish, lower: Plot.Markish] {
  const corners = [0, 1, 2].map((k) => at(shareLine(k, 1)[0]));
  const named = corners.map((corner, i) => ({ ...corner, label: labels[i] }));
  const bold = { x: "x", y: "y", text: "label", fontWeight: "bold" } as const;
  return [
    Plot.line([...corners, corners[0]!], { x: "x", y: "y", stroke: INK, strokeWidth: 1.2 }),
    Plot.text(named.slice(0, 1), { ...bold, lineAnchor: "bottom", dy: -dy[0] }),
    Plot.text(named.slice(1), { ...bold, lineAnchor: "top", dy: dy[1] }),
  ];
}

/** Channels of a `Plot.link` between the ends of lines, and their rows. */
export const LINK = { x1: "x1", y1: "y1", x2: "x2", y2: "y2" } as const;
export const linkRow = ([a, b]: readonly [Point, Point]) => ({ x1: a.x, y1: a.y, x2: b.x, y2: b.y });

/**
 * The triangle of three options with lines of a quarter, a half and three quarters, for `simplexPoint`. Goes with
 * `{ axis: null, aspectRatio: 1 }`.
 *
 * @param labels of the top, lower left and lower right corner.
 */
export function simplexFrame(labels: readonly [string, string, string]): Plot.Markish[] {
  const quarters = [0.25, 0.5, 0.75], xy = { x: "x", y: "y" } as const;
  const grid = quarters.flatMap((share) => [0, 1, 2].map((k) => linkRow(shareLine(k, share))));
  const shares = quarters.map((share) => ({ ...simplexPoint([share, 1 - share, 0]), share }));
  const [edge, ...names] = triangle(labels.map((label) => wrapText(label, 190, 13, 3).join("\n")), { dy: [8, 10] });
  return [
    Plot.link(grid, { ...LINK, stroke: RULE, strokeDasharray: "2 3" }),
    edge,
    Plot.text(shares, { ...xy, text: ({ share }) => share.toFixed(2), textAnchor: "end", dx: -8, fill: MUTED }),
    ...names,
  ].map((mark) => called("frame", mark));
}

/**
 * Names beside points: `Plot.text` that leaves out a name which would cover one before it, so the most important rows
 * come first. Say in the caption that names may be missing; the data have them all.
 */
export function spacedLabels(rows: readonly object[], options: Plot.TextOptions): Plot.Markish {
  const { dx = 0, dy = 0, textAnchor = "middle" } = options;
  const before = { start: 0, middle: 0.5, end: 1 }[textAnchor as string] ?? 0.5;
  const render: Plot.RenderFunction = (index, scales, values, dimensions, context, next) => {
    const taken: { left: number; right: number; y: number }[] = [];
    const texts = values.text as unknown as ArrayLike<unknown>;
    const kept = index.filter((i) => {
      const width = fontWidth(String(texts[i])) * TEXT_SIZE, left = values.x![i]! + dx - before * width;
      const [right, y] = [left + width, values.y![i]! + dy];
      const isFree = taken.every((one) => one.left >= right || left >= one.right || Math.abs(one.y - y) >= LINE_HEIGHT);
      if (isFree) taken.push({ left, right, y });
      return isFree;
    });
    return next!(kept, scales, values, dimensions, context);
  };
  return Plot.text(rows, { ...options, render });
}

/** Heights of lines of text between top and bottom, none nearer to another than letters are high. */
export function spaceApart(heights: readonly number[], top: number, bottom: number): number[] {
  const y = [...heights], downwards = y.map((_, i) => i).sort((a, b) => y[a]! - y[b]!);
  const space = (names: readonly number[], sign: 1 | -1, edge: number) =>
    names.reduce((from, i) => (y[i] = sign * Math.max(sign * y[i]!, sign * from)) + sign * LINE_HEIGHT, edge);
  space(downwards, 1, top);
  space(downwards.toReversed(), -1, bottom);
  return y;
}
