import * as Plot from "@observablehq/plot";
import { countText, fixedText } from "../core/numbers.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { type Grouped, groupRuns } from "./grouped_runs.ts";
import { drawLegend, symbolMark } from "./legend.ts";
import { INK, MUTED, RULE } from "./palette.ts";
import { wrapText } from "./text.ts";

export interface SimplexPlotOptions extends FigureOptions {
  /** Committee-mean preferences, shape [R][T][3], each summing to 1. */
  readonly runs: readonly (readonly (readonly number[])[])[];
  /** Names of the three options: top, lower left and lower right corner. */
  readonly options: readonly [string, string, string];
  /** A group for each run, such as its decision or its variant. Default: one group. */
  readonly groups?: readonly string[] | undefined;
}

/**
 * Committee-mean trajectories in the triangle of three options: a corner is full preference for one of them.
 *
 * Hollow symbols mark the first round, filled ones the last.
 * Source: Figure S7A of the deliberation paper.
 *
 * @throws {RangeError} when preferences do not sum to 1 within 0.001, or are not three finite shares.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const runs = [[[0.4, 0.3, 0.3], [0.8, 0.1, 0.1]]];
 * const figure = simplexPlot({ runs, options: ["stay", "leave", "wait"], synthetic: true });
 * assert.match(figure.alt, /mean of the last round: 0.80, 0.10, 0.10/);
 * ```
 */
export function simplexPlot(options: SimplexPlotOptions): Figure {
  const { runs, options: names } = options;
  const groups = groupRuns(options, 3);
  runs.forEach(checkShares);
  const canvas = createCanvas();
  const top = drawLegend(canvas, [
    ...groups.map(({ name, runs, style }) => ({ ...style, label: `${name} (${runs.length})` })),
    { label: "first round", colour: MUTED, symbol: "circle" as const, hollow: true },
    { label: "last round", colour: MUTED, symbol: "circle" as const },
  ], { y: 12 }) + 12;
  drawTriangle(canvas, names, top);
  for (const group of groups) drawGroup(canvas, group, top);
  if (runs.length === 0) canvas.text("No runs to draw.", WIDTH / 2, top + HEIGHT, { anchor: "middle", fill: MUTED });
  return toFigure(options, {
    kind: "simplex",
    canvas,
    height: top + CORNER + HEIGHT + 3 * LINE_HEIGHT + 8,
    alt: altSentences(options, groups),
    caption: [
      "Committee-mean preferences; each corner is full preference for one option, dotted lines are shares of a quarter, a half and three quarters",
    ],
    rows: groups.flatMap(({ name, runs }) => runs.flatMap(({ index, run }) => dataRows(index, name, run, names))),
  });
}

const SIDE = 440;
const HEIGHT = (SIDE * Math.sqrt(3)) / 2;
/** Room for the name of the top corner. */
const CORNER = 40;

function checkShares(run: readonly (readonly number[])[], index: number): void {
  run.forEach((shares, t) => {
    const sum = shares.reduce((total, share) => total + share, 0);
    if (Math.abs(sum - 1) > 1e-3 || shares.some((share) => share < 0)) {
      throw new RangeError(`run ${index} in round ${t + 1} is (${shares.join(", ")}): shares must be ≥ 0 and sum to 1`);
    }
  });
}

/** Pixels of a preference: the corners weighted by the shares. */
function place([top = 0, left = 0, right = 0]: readonly number[], y: number): [number, number] {
  return [WIDTH / 2 + ((right - left) * SIDE) / 2, y + CORNER + (1 - top) * HEIGHT];
}

function drawTriangle(canvas: Canvas, [top, left, right]: readonly [string, string, string], y: number): void {
  const corners = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]];
  const grid = [0.25, 0.5, 0.75].flatMap((share) => {
    const rest = 1 - share;
    return [0, 1, 2].map((k) =>
      [[share, rest, 0], [share, 0, rest]].map((line) => place([0, 1, 2].map((i) => line[(i - k + 3) % 3]!), y))
    );
  });
  canvas.marks(
    ...grid.map((line) => Plot.line(line, { stroke: RULE, strokeDasharray: "2 3" })),
    Plot.line(corners.map((corner) => place(corner, y)), { stroke: INK, strokeWidth: 1.2 }),
  );
  for (const share of [0.25, 0.5, 0.75]) {
    const [x, height] = place([share, 1 - share, 0], y);
    canvas.text(fixedText(share, 2), x - 8, height + 4, { size: 11, anchor: "end", fill: MUTED });
  }
  const name = (label: string) => wrapText(label, 200, BOLD_SIZE, 2);
  const topLines = name(top);
  const bold = { anchor: "middle", weight: "bold" } as const;
  canvas.lines(topLines, WIDTH / 2, y + CORNER - 10 - (topLines.length - 1) * LINE_HEIGHT, bold);
  canvas.lines(name(left), WIDTH / 2 - SIDE / 2, y + CORNER + HEIGHT + 22, bold);
  canvas.lines(name(right), WIDTH / 2 + SIDE / 2, y + CORNER + HEIGHT + 22, bold);
}

function drawGroup(canvas: Canvas, { runs, style: { colour, dash, symbol } }: Grouped, y: number): void {
  const paths = runs.map(({ run }) => run.map((shares) => place(shares, y)));
  const stroke = { stroke: colour, strokeDasharray: dash, strokeWidth: 1.2, strokeOpacity: 0.7 };
  canvas.marks(
    ...paths.map((path) => Plot.line(path, stroke)),
    symbolMark(paths.flatMap((path) => path.slice(0, 1)), { colour, symbol, hollow: true }),
    symbolMark(paths.flatMap((path) => path.slice(-1)), { colour, symbol, r: TEXT_SIZE / 2.4 }),
  );
}

function altSentences({ runs, options }: SimplexPlotOptions, groups: readonly Grouped[]): string[] {
  return [
    `Triangle of committee-mean preferences for ${options.join(", ")}; ${countText(runs.length, "replicate")}`,
    ...groups.map(({ name, runs }) => {
      const last = runs.flatMap(({ run }) => run.slice(-1));
      const means = options.map((_, k) => last.reduce((sum, shares) => sum + shares[k]!, 0) / last.length);
      const words = last.length === 0 ? "no rounds" : means.map((mean) => fixedText(mean, 2)).join(", ");
      return `${name}: ${countText(runs.length, "replicate")}, mean of the last round: ${words}`;
    }),
  ];
}

function dataRows(run: number, group: string, rounds: readonly (readonly number[])[], names: readonly string[]) {
  return rounds.flatMap((shares, i) =>
    shares.map((preference, k) => ({ run, group, round: i + 1, option: names[k], preference }))
  );
}
