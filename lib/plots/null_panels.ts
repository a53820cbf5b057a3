import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { bin, extent, ticks } from "d3-array";
import { countText, fixedText, LAMBDA, requireFinite, undefinedText } from "../core/numbers.ts";
import { BOLD_SIZE, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { COLOURS, INK, MUTED } from "./palette.ts";
import { wrapText } from "./text.ts";

/** What the slope would be under one null hypothesis. */
export interface NullPanel {
  readonly title: string;
  /** Slopes under it, nats per round. */
  readonly draws: readonly number[];
  readonly p?: number | undefined;
  readonly reason?: string | undefined;
}

export interface NullPanelsOptions extends FigureOptions {
  readonly panels: readonly NullPanel[];
  /** The observed slope, the same in every panel. */
  readonly lambda?: number | undefined;
  readonly reason?: string | undefined;
}

/**
 * One observed slope against several null hypotheses: a histogram each, below one another on one axis.
 *
 * @throws {RangeError} when a slope or a p-value is not finite.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const panels = [{ title: "rounds shuffled", draws: [-0.01, 0, 0.01], p: 0.25 }];
 * assert.match(nullPanels({ panels, lambda: 0.08, synthetic: false }).alt, /rounds shuffled: 3 slopes.*p = 0\.2500/);
 * ```
 */
export function nullPanels(options: NullPanelsOptions): Figure {
  const { panels, lambda, reason } = options;
  requireFinite("the observed slope", lambda);
  for (const { title, draws, p } of panels) requireFinite(`a slope or the p of "${title}"`, p, ...draws);
  const canvas = createCanvas();
  const all = [...panels.flatMap(({ draws }) => draws), ...(lambda === undefined ? [] : [lambda])];
  const [low, high] = extent(all);
  let y = 8;
  if (low === undefined || high === undefined) {
    canvas.text("No slopes to draw.", WIDTH / 2, y + 12, { anchor: "middle", fill: MUTED });
    y += 2 * LINE_HEIGHT;
  } else {
    const pad = (high - low) * 0.04 || 0.001, domain: [number, number] = [low - pad, high + pad];
    panels.forEach((panel, i) => {
      const last = i === panels.length - 1;
      y = canvas.lines(wrapText(panel.title, WIDTH - 96, BOLD_SIZE, 3), LEFT, y + 14, { weight: "bold" });
      y = canvas.lines(wrapText(panelWords(panel), WIDTH - 96, TEXT_SIZE, 3), LEFT, y, { fill: MUTED }) - 8;
      canvas.plot(panelPlot(panel, { domain, lambda, last }), 0, y);
      y += PANEL_HEIGHT + (last ? LABEL_HEIGHT : 0);
    });
  }
  return toFigure(options, {
    kind: "null-panels",
    canvas,
    height: y,
    alt: [
      `Histograms of slopes, one for each of ${panels.length} null ${
        panels.length === 1 ? "hypothesis" : "hypotheses"
      }`,
      `Observed slope: ${lambda === undefined ? undefinedText(reason) : fixedText(lambda)}`,
      ...panels.map((panel) => `${panel.title}: ${panelWords(panel)}`),
    ],
    caption: [
      `Grey: slopes of ln D(t) under each null hypothesis. Line: observed ${LAMBDA}, ${
        lambda === undefined ? undefinedText(reason) : fixedText(lambda)
      }`,
    ],
    rows: [
      { panel: "observed", draw: undefined, lambda },
      ...panels.flatMap(({ title, draws }) => draws.map((draw, i) => ({ panel: title, draw: i + 1, lambda: draw }))),
    ],
  });
}

const LEFT = 64;
const PANEL_HEIGHT = 176;
const LABEL_HEIGHT = 18;

function panelWords({ draws, p, reason }: NullPanel): string {
  const [low, high] = extent(draws);
  const range = low === undefined || high === undefined
    ? "no slopes"
    : `${countText(draws.length, "slope")} from ${fixedText(low)} to ${fixedText(high)}`;
  return `${range}; ${p === undefined ? `p ${undefinedText(reason)}` : `p = ${fixedText(p)}`}`;
}

function panelPlot({ draws }: NullPanel, { domain, lambda, last }: {
  domain: [number, number];
  lambda: number | undefined;
  /** Whether the axis is named. */
  last: boolean;
}): Plot.PlotOptions {
  const bars = bin().domain(domain).thresholds(ticks(...domain, 60))(draws);
  const most = Math.max(1, ...bars.map(({ length }) => length));
  const label = last ? "Slope of ln D(t), nats per round" : null;
  return {
    ...{ width: WIDTH, height: PANEL_HEIGHT + (last ? LABEL_HEIGHT : 0), marginLeft: LEFT, marginRight: 24 },
    ...{ marginTop: 12, marginBottom: last ? 28 + LABEL_HEIGHT : 28 },
    x: { domain, ticks: 8, label, labelAnchor: "center", labelArrow: "none" },
    y: { domain: [0, most], nice: true, ticks: 3, tickFormat: "d", label: null },
    marks: [
      Plot.rectY(bars, { x1: "x0", x2: "x1", y: "length", fill: "#8c8c8c", inset: 0.5 }),
      Plot.ruleY([0], { stroke: INK }),
      ...(lambda === undefined ? [] : [Plot.ruleX([lambda], { stroke: COLOURS[0], strokeWidth: 2.5 })]),
    ],
  };
}
