import * as Plot from "@observablehq/plot";
import { countText, fixedText } from "../core/numbers.ts";
import { createCanvas, LINE_HEIGHT, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend } from "./legend.ts";
import { INK, MUTED, RULE, seriesStyle } from "./palette.ts";
import { wrapText } from "./text.ts";

/** Rounds in which something first happened, one entry a run. */
export interface EcdfSeries {
  readonly label: string;
  /** 1-based rounds; undefined where it never happened. */
  readonly times: readonly (number | undefined)[];
}

export interface EcdfPlotOptions extends FigureOptions {
  readonly series: readonly EcdfSeries[];
  /** Rounds of a run, T: "never" is drawn at T + 1. */
  readonly rounds: number;
  /** What happens, such as `a majority first forms`. */
  readonly event: string;
}

/**
 * The share of runs in which something has happened by a given round, one staircase a condition.
 *
 * Runs in which it never happens are drawn at T + 1, behind a dashed rule, and are no round.
 * Source: Figure S4 of the deliberation paper.
 *
 * @throws {RangeError} when a time is not a whole round from 1 to T.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const series = [{ label: "roles on", times: [1, 2, 2, undefined] }];
 * const { alt } = ecdfPlot({ series, rounds: 20, event: "a majority first forms", synthetic: true });
 * assert.match(alt, /roles on: 4 runs, 0\.25 by round 1, 0\.75 by round 2, 1 run never/);
 * ```
 */
export function ecdfPlot(options: EcdfPlotOptions): Figure {
  const { series, rounds, event } = options;
  for (const one of series) checkSeries(one, rounds);
  const drawn = series.filter(({ times }) => times.length > 0);
  const canvas = createCanvas();
  const top = drawLegend(canvas, series.map((one, i) => ({ label: legendText(one), ...look(i) })), { y: 12 }) + 8;
  if (drawn.length === 0) canvas.text("No runs to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
  else canvas.plot(plotOptions(series, rounds), 0, top);
  const below = top + HEIGHT;
  const axis = wrapText(`Round by which ${event}`, WIDTH - 120, 13, 2);
  if (drawn.length > 0) canvas.lines(axis, WIDTH / 2, below + 8, { anchor: "middle" });
  return toFigure(options, {
    kind: "ecdf",
    canvas,
    height: drawn.length === 0 ? top + 2 * LINE_HEIGHT : below + 8 + axis.length * LINE_HEIGHT,
    alt: [
      `Share of runs by the round in which ${event}, ${countText(series.length, "condition")}`,
      ...series.map(seriesWords),
    ],
    caption: [
      `Share of runs in which ${event}, by round`,
      `Runs in which it never does are drawn at ${rounds + 1}, which is no round`,
      ...(drawn.length > 1 ? ["Later lines are thinner, so that equal ones show within one another"] : []),
    ],
    rows: series.flatMap((one) =>
      staircase(one, rounds).map(([round, share]) => ({ condition: one.label, round, never: round > rounds, share }))
    ),
  });
}

const HEIGHT = 320;

function checkSeries({ label, times }: EcdfSeries, rounds: number): void {
  for (const time of times) {
    if (time === undefined || (Number.isInteger(time) && time >= 1 && time <= rounds)) continue;
    throw new RangeError(`"${label}" has a time of ${time}: must be a whole round from 1 to ${rounds}, or undefined`);
  }
}

/** Equal staircases lie on one another: the earlier is the wider. */
function look(index: number) {
  const { colour, dash } = seriesStyle(index);
  return { colour, dash, thickness: Math.max(1.6, 6 - 1.4 * index) };
}

const legendText = ({ label, times }: EcdfSeries): string => `${label}, n = ${times.length}`;

const shareBy = ({ times }: EcdfSeries, round: number): number =>
  times.filter((time) => time !== undefined && time <= round).length / times.length;

/** From nothing before round 1 to all runs at T + 1. */
function staircase(series: EcdfSeries, rounds: number): [round: number, share: number][] {
  if (series.times.length === 0) return [];
  const shares = Array.from({ length: rounds }, (_, i): [number, number] => [i + 1, shareBy(series, i + 1)]);
  return [[0, 0], ...shares, [rounds + 1, 1]];
}

function seriesWords(series: EcdfSeries): string {
  const { label, times } = series;
  if (times.length === 0) return `${label}: no runs`;
  const known = [...new Set(times.filter((time) => time !== undefined))].sort((a, b) => a - b);
  const never = times.filter((time) => time === undefined).length;
  const steps = known.map((round) => `${fixedText(shareBy(series, round), 2)} by round ${round}`);
  return [`${label}: ${countText(times.length, "run")}`, ...steps, `${countText(never, "run")} never`].join(", ");
}

function plotOptions(series: readonly EcdfSeries[], rounds: number): Plot.PlotOptions {
  const stride = [1, 2, 5, 10, 20, 50].find((step) => rounds / step <= 20) ?? Math.ceil(rounds / 20);
  // The tick beside "never" gives way to the word.
  const whole = Array.from({ length: rounds }, (_, i) => i + 1).filter((round) => round === 1 || round % stride === 0);
  const ticks = [...whole.filter((round) => (rounds + 1 - round) / rounds > 0.06), rounds + 1];
  return {
    ...{ width: WIDTH, height: HEIGHT, marginLeft: 64, marginRight: 40, marginTop: 12, marginBottom: 28 },
    x: {
      ...{ domain: [0, rounds + 1.5], ticks, label: null },
      tickFormat: (round: number) => round > rounds ? "never" : String(round),
    },
    y: { domain: [0, 1], ticks: 5, label: null },
    marks: [
      Plot.gridY({ ticks: 5, stroke: RULE, strokeOpacity: 1 }),
      Plot.ruleX([rounds + 0.5], { stroke: MUTED, strokeDasharray: "4 3" }),
      Plot.frame({ anchor: "bottom", stroke: INK }),
      ...series.map((one, i) => {
        const { colour, dash, thickness } = look(i);
        return Plot.line(staircase(one, rounds), {
          ...{ curve: "step-after", stroke: colour, strokeWidth: thickness, strokeDasharray: dash },
        });
      }),
    ],
  };
}
