import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { max } from "d3-array";
import { countText, requireFinite, share as shareText, shortText, undefinedText } from "../core/numbers.ts";
import { logTicks } from "./axes.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { INK, MUTED, RULE, seriesStyle } from "./palette.ts";
import { wrapText } from "./text.ts";

/** One law as fitted. */
export interface LawCurve {
  readonly law: string;
  /** D over the rounds of the window. */
  readonly fitted: readonly number[];
  /** Share of resamples in which it fits best, in [0, 1]. */
  readonly share: number;
}

export interface LawsPanel {
  readonly title: string;
  /** Mean distance over all rounds, shape [T]. */
  readonly D: readonly number[];
  /** First and last round of the fit, 1-based. */
  readonly window: readonly [number, number];
  /** Empty where nothing could be fitted. */
  readonly laws: readonly LawCurve[];
  /** The law that fits best. */
  readonly best?: string | undefined;
  readonly reason?: string | undefined;
}

export interface LawsPlotOptions extends FigureOptions {
  /** Two in a row; laws of one name look alike in all of them. */
  readonly panels: readonly LawsPanel[];
}

/**
 * Distances over the rounds with fitted laws of growth, a panel a condition, on one logarithmic axis.
 *
 * On it exponential growth is a straight line. The best law is drawn thick; below each title stands how often it is the
 * best in resamples. Rounds with D = 0 cannot stand on a logarithmic axis and are left out.
 *
 * @throws {RangeError} when a distance is negative or not finite, or a fitted curve does not have the window's rounds.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const D = [0.01, 0.02, 0.04];
 * const laws = [{ law: "exponential", fitted: D, share: 1 }];
 * const panels = [{ title: "doubling", D, window: [1, 3] as const, laws, best: "exponential" }];
 * assert.match(lawsPlot({ panels, synthetic: true }).alt, /doubling: best exponential, in 100 % of resamples/);
 * ```
 */
export function lawsPlot(options: LawsPlotOptions): Figure {
  const { panels } = options;
  panels.forEach(checkPanel);
  const laws = [...new Set(panels.flatMap(({ laws }) => laws.map(({ law }) => law)))];
  const canvas = createCanvas();
  const top = drawLegend(canvas, legendItems(laws), { y: 12 }) + 4;
  const height = drawPanels(canvas, panels, { laws, top });
  return toFigure(options, {
    kind: "laws",
    canvas,
    height,
    alt: [
      `Mean pairwise distance D(t) over the rounds on a logarithmic axis with ${
        countText(laws.length, "fitted law")
      }, ${countText(panels.length, "panel")}`,
      ...panels.map((panel) => `${panel.title}: ${verdictWords(panel)}${courseWords(panel)}`),
    ],
    caption: [
      "Dots: mean pairwise distance D(t), logarithmic. Lines: laws of growth as fitted over the window; thick: the best by AICc",
    ],
    rows: panels.flatMap(({ title, D, window: [from], laws }) => [
      ...D.map((distance, i) => ({ panel: title, law: "measured", share: undefined, round: i + 1, distance })),
      ...laws.flatMap(({ law, fitted, share }) =>
        fitted.map((distance, i) => ({ panel: title, law, share, round: from + i, distance }))
      ),
    ]),
  });
}

const COLUMNS = 2;
const COLUMN = WIDTH / COLUMNS;
const LEFT = 56;
const PANEL_HEIGHT = 236;

/** Two panels in a row below `top`; returns where they end. */
function drawPanels(
  canvas: Canvas,
  panels: readonly LawsPanel[],
  { laws, top }: { laws: readonly string[]; top: number },
): number {
  const positive = panels.flatMap(({ D, laws }) => [...D, ...laws.flatMap(({ fitted }) => fitted)]).filter((d) =>
    d > 0
  );
  if (positive.length === 0) {
    canvas.text("No distances to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
    return top + 2 * LINE_HEIGHT;
  }
  const axis = { ticks: logTicks(positive), rounds: max(panels, ({ D }) => D.length)!, laws };
  let y = top;
  for (let first = 0; first < panels.length; first += COLUMNS) {
    y = drawRow(canvas, panels.slice(first, first + COLUMNS), { axis, y });
  }
  canvas.text("Round", WIDTH / 2, y + 10, { anchor: "middle" });
  return y + 22;
}

/** Panels side by side, each below its title and verdict; returns where they end. */
function drawRow(canvas: Canvas, row: readonly LawsPanel[], { axis, y }: { axis: Axis; y: number }): number {
  const heads = row.map((panel) => [
    ...wrapText(panel.title, COLUMN - LEFT - 12, BOLD_SIZE, 3).map((line) => ({ line, weight: "bold" as const })),
    ...wrapText(verdictWords(panel), COLUMN - LEFT - 12, TEXT_SIZE, 3).map((line) => ({ line, fill: MUTED })),
  ]);
  const top = y + Math.max(...heads.map(({ length }) => length)) * LINE_HEIGHT + 4;
  row.forEach((panel, i) => {
    heads[i]!.forEach(({ line, ...style }, n) => canvas.text(line, i * COLUMN + LEFT, y + 14 + n * LINE_HEIGHT, style));
    canvas.plot(panelPlot(panel, axis), i * COLUMN, top);
  });
  return top + PANEL_HEIGHT;
}

function checkPanel({ title, D, window: [from, to], laws }: LawsPanel): void {
  D.forEach((d, i) => {
    requireFinite(`D of "${title}" in round ${i + 1}`, d);
    if (d < 0) throw new RangeError(`D of "${title}" in round ${i + 1} is ${d}: a distance is never negative`);
  });
  for (const { law, fitted, share } of laws) {
    requireFinite(`"${law}" of "${title}"`, share, ...fitted);
    if (fitted.length === to - from + 1) continue;
    throw new RangeError(`"${law}" of "${title}" has ${fitted.length} rounds, its window ${from}-${to} has others`);
  }
}

function legendItems(laws: readonly string[]): LegendItem[] {
  const drawn = laws.map((label, i) => ({ label, colour: seriesStyle(i).colour, dash: DASHES[i % DASHES.length]! }));
  return [{ label: "measured", colour: INK, symbol: "circle", hollow: true }, ...drawn];
}

/** Six laws cross often: each has a dash of its own, not only a colour. */
const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "14 4", "4 4"];

function verdictWords({ best, laws, reason }: LawsPanel): string {
  const share = laws.find(({ law }) => law === best)?.share;
  if (best === undefined || share === undefined) return undefinedText(reason);
  return `best ${best}, in ${shareText(share)} of resamples`;
}

function courseWords({ D }: LawsPanel): string {
  const [first, last] = [D[0], D.at(-1)];
  return first === undefined || last === undefined ? "" : `, D from ${shortText(first)} to ${shortText(last)}`;
}

/** What all panels share. */
interface Axis {
  readonly ticks: readonly number[];
  readonly rounds: number;
  /** All laws of the figure, for their looks. */
  readonly laws: readonly string[];
}

function panelPlot({ D, window: [from], laws, best }: LawsPanel, axis: Axis): Plot.PlotOptions {
  const { ticks, rounds } = axis;
  const points = D.flatMap((d, i): [number, number][] => (d > 0 ? [[i + 1, d]] : []));
  return {
    ...{ width: COLUMN, height: PANEL_HEIGHT, marginLeft: LEFT, marginRight: 12, marginTop: 8, marginBottom: 26 },
    x: { domain: [0.5, rounds + 0.5], ticks: [1, 5, 10, 15, 20].filter((t) => t <= rounds), label: null },
    y: { type: "log", domain: [ticks[0]!, ticks.at(-1)!], ticks: [...ticks], tickFormat: shortText, label: null },
    marks: [
      Plot.gridY({ ticks: [...ticks], stroke: RULE, strokeOpacity: 1 }),
      ...laws.map(({ law, fitted }) => {
        const index = axis.laws.indexOf(law);
        const stroke = { stroke: seriesStyle(index).colour, strokeDasharray: DASHES[index % DASHES.length]! };
        const line = fitted.map((d, i) => [from + i, d] as [number, number]);
        return Plot.line(line, { ...stroke, strokeWidth: law === best ? 3.4 : 1.3 });
      }),
      symbolMark(points, { colour: INK, symbol: "circle", hollow: true, r: 2.8 }),
      Plot.frame({ anchor: "bottom", stroke: INK }),
    ],
  };
}
