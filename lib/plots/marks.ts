import * as Plot from "@observablehq/plot";
import { COLOURS, INK, MUTED, RULE } from "./palette.ts";
import { wrapText } from "./text.ts";

/** A column of a row by name, or what gives its value. */
type Channel = Plot.ChannelValueSpec;

/** The rounds of a fit as a band behind the curves, on an `x` of rounds. */
export function fitWindow({ from, to }: { readonly from: number; readonly to: number }): Plot.Markish {
  return called("frame", Plot.rectX([{ from, to }], { x1: "from", x2: "to", fill: INK, fillOpacity: 0.05 }));
}

/** A mark under another name than its kind's: of a frame neither alt text nor the search for data takes notice. */
const called = <Mark extends object>(ariaLabel: string, mark: Mark): Mark => Object.assign(mark, { ariaLabel });

/** What the alt text calls published values. */
export const PUBLISHED = "published diamond";

/**
 * Estimates with their intervals, a row each: a dot at `x` on a line from `low` to `high`. Rows without an interval have
 * the dot alone, rows without an estimate say so.
 *
 * @param options `y`: the row's name; `stroke`: a colour or a column. Default: the first colour.
 */
export function intervalDots(
  rows: readonly object[],
  { x, low, high, y, stroke = COLOURS[0], strokeDasharray = "none", dy = 0, ...facets }: {
    /** A column, or what gives the value of a row. */
    readonly x: Extract<Channel, string | ((row: never, index: number) => unknown)>;
    readonly low: Channel;
    readonly high: Channel;
    readonly y: Channel;
    readonly stroke?: string;
    readonly strokeDasharray?: string;
    /** Pixels downwards, so that two estimates of a row can stand below each other. */
    readonly dy?: number;
    readonly fx?: Plot.ChannelValue;
    readonly fy?: Plot.ChannelValue;
  },
): Plot.Markish[] {
  const unknown = (row: object, i: number) =>
    !Number.isFinite(typeof x === "function" ? x(row, i) : (row as Record<string, unknown>)[x]);
  const words = { text: () => "no estimate", frameAnchor: "left", dx: 6, fill: MUTED } as const;
  return [
    Plot.link(rows, { x1: low, x2: high, y1: y, y2: y, stroke, strokeWidth: 2.5, strokeDasharray, dy, ...facets }),
    Plot.dot(rows, { x, y, stroke, fill: stroke, r: 4, dy, ...facets }),
    ...(rows.some(unknown) ? [Plot.text(rows, { ...words, y, dy, filter: unknown, ...facets })] : []),
  ];
}

/** Published values as hollow diamonds; rows that lack one have none. */
export function publishedDiamonds(
  rows: readonly object[],
  { x, y, dx = 0, dy = 0, ...facets }: {
    readonly x: Channel;
    readonly y: Channel;
    /** Pixels to the right and downwards, so that the measured value beside it stays visible. */
    readonly dx?: number;
    readonly dy?: number;
    readonly fx?: Plot.ChannelValue;
    readonly fy?: Plot.ChannelValue;
  },
): Plot.Markish {
  const look = { symbol: "diamond", stroke: COLOURS[1], fill: "white", strokeWidth: 1.6, r: 5 } as const;
  return called(PUBLISHED, Plot.dot(rows, { x, y, dx, dy, ...look, ...facets }));
}

/** Where preferences for three options (top, lower left, lower right corner; shares that sum to 1) stand in the triangle. */
export function simplexPoint([top = 0, left = 0, right = 0]: readonly number[]): { x: number; y: number } {
  return { x: (right - left) / 2 / (top + left + right), y: top * HEIGHT / (top + left + right) };
}

const HEIGHT = Math.sqrt(3) / 2;

/**
 * The triangle of three options with lines of a quarter, a half and three quarters, for `simplexPoint`. Goes with
 * `{ axis: null, aspectRatio: 1 }`.
 *
 * @param labels of the top, lower left and lower right corner.
 */
export function simplexFrame(labels: readonly [string, string, string]): Plot.Markish[] {
  const corners = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(simplexPoint);
  const grid = [0.25, 0.5, 0.75].flatMap((share) =>
    [0, 1, 2].map((k) => {
      const end = (other: number) =>
        simplexPoint([0, 1, 2].map((i) => i === k ? share : i === (k + other) % 3 ? 1 - share : 0));
      return { x1: end(1).x, y1: end(1).y, x2: end(2).x, y2: end(2).y };
    })
  );
  const shares = [0.25, 0.5, 0.75].map((share) => ({ ...simplexPoint([share, 1 - share, 0]), share }));
  const ends = { x1: "x1", x2: "x2", y1: "y1", y2: "y2" };
  const named = corners.map((corner, i) => ({ ...corner, label: wrapText(labels[i]!, 190, 13, 3).join("\n") }));
  const bold = { x: "x", y: "y", text: "label", fontWeight: "bold" } as const;
  return [
    Plot.link(grid, { ...ends, stroke: RULE, strokeDasharray: "2 3" }),
    Plot.line([...corners, corners[0]!], { x: "x", y: "y", stroke: INK, strokeWidth: 1.2 }),
    Plot.text(shares, {
      x: "x",
      y: "y",
      text: ({ share }) => share.toFixed(2),
      textAnchor: "end",
      dx: -8,
      fill: MUTED,
    }),
    Plot.text(named.slice(0, 1), { ...bold, lineAnchor: "bottom", dy: -8 }),
    Plot.text(named.slice(1), { ...bold, lineAnchor: "top", dy: 10 }),
  ].map((mark) => called("frame", mark));
}
