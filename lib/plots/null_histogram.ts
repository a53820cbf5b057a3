import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { bin, extent, ticks } from "d3-array";
import { fixedText, LAMBDA, requireFinite, undefinedText } from "../core/numbers.ts";
import { createCanvas, LINE_HEIGHT, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { COLOURS, INK, MUTED } from "./palette.ts";

export interface NullHistogramOptions extends FigureOptions {
  /** Slopes of the permuted data, one a permutation, in nats per round. */
  readonly draws: readonly number[];
  /** The observed slope. */
  readonly lambda?: number | undefined;
  /** p = (1 + number of draws at or above the observed) / (draws + 1). */
  readonly p?: number | undefined;
  /** The replicate-level p, whose size stays near its nominal level; stands beside p in the caption. */
  readonly studentisedP?: number | undefined;
  readonly reason?: string | undefined;
}

/**
 * The slopes of permuted data as a histogram, with the observed slope as a line.
 *
 * The test asks whether rounds are exchangeable, not whether trajectories diverge: the caption says so.
 * Source: Figure S5 of the deliberation paper.
 *
 * @throws {RangeError} when a slope or a p-value is not finite.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const figure = nullHistogram({ draws: [-0.01, 0, 0.01], lambda: 0.08, p: 0.25, synthetic: false });
 * assert.match(figure.caption, /p = 0.2500/);
 * ```
 */
export function nullHistogram(options: NullHistogramOptions): Figure {
  const { draws, lambda, p, studentisedP, reason } = options;
  draws.forEach((draw, i) => requireFinite(`draw ${i + 1}`, draw));
  requireFinite("the observed slope or its p", lambda, p, studentisedP);
  const canvas = createCanvas();
  if (draws.length === 0) {
    canvas.text("No permutations to draw.", WIDTH / 2, 20, { anchor: "middle", fill: MUTED });
  } else {
    canvas.plot(plotOptions(draws, lambda), 0, 6);
  }
  if (lambda === undefined) {
    const words = `The observed slope is ${undefinedText(reason)}.`;
    canvas.text(words, WIDTH / 2, 20 + (draws.length === 0 ? LINE_HEIGHT : 0), { anchor: "middle", fill: MUTED });
  }
  return toFigure(options, {
    kind: "null-histogram",
    canvas,
    height: draws.length === 0 ? 3 * LINE_HEIGHT : HEIGHT + 6,
    alt: altSentences(options),
    caption: captionSentences(options),
    rows: [
      { kind: "observed", permutation: undefined, lambda },
      ...draws.map((draw, i) => ({ kind: "permuted", permutation: i + 1, lambda: draw })),
    ],
  });
}

const HEIGHT = 340;

function plotOptions(draws: readonly number[], lambda: number | undefined): Plot.PlotOptions {
  const all = lambda === undefined ? draws : [...draws, lambda];
  const [low, high] = extent(all) as [number, number];
  // Draws that all agree still need an axis with some width.
  const pad = high - low > 1e-9 ? (high - low) * 0.04 : 0.001;
  const domain: [number, number] = [low - pad, high + pad];
  const bars = bin().domain(domain).thresholds(ticks(...domain, 50))(draws);
  const most = Math.max(...bars.map(({ length }) => length));
  return {
    ...{ width: WIDTH, height: HEIGHT, marginLeft: 64, marginRight: 32, marginTop: 56, marginBottom: 44 },
    x: {
      ...{ domain, ticks: 8, label: "Slope of ln D(t) with rounds shuffled, nats per round" },
      ...{ labelAnchor: "center", labelArrow: "none" },
    },
    y: { domain: [0, most], nice: true, ticks: Math.min(5, most), tickFormat: "d", label: "Permutations" },
    marks: [
      Plot.rectY(bars, { x1: "x0", x2: "x1", y: "length", fill: "#8c8c8c", inset: 0.5 }),
      Plot.ruleY([0], { stroke: INK }),
      ...(lambda === undefined ? [] : observedMarks(lambda, lambda > (low + high) / 2)),
    ],
  };
}

function observedMarks(lambda: number, right: boolean): Plot.Markish[] {
  const label = { text: [`observed ${LAMBDA} = ${fixedText(lambda)}`], fill: COLOURS[0], fontWeight: "bold" };
  return [
    Plot.ruleX([lambda], { stroke: COLOURS[0], strokeWidth: 2.5, insetTop: -24 }),
    Plot.text([lambda], {
      ...{ x: (x: number) => x, frameAnchor: "top", textAnchor: right ? "end" : "start", ...label },
      ...{ dy: -34, dx: right ? 4 : -4 },
    }),
  ];
}

function altSentences({ draws, lambda, reason, p }: NullHistogramOptions): string[] {
  const [low, high] = extent(draws);
  const range = low === undefined || high === undefined ? "none" : `from ${fixedText(low)} to ${fixedText(high)}`;
  return [
    `Histogram of ${draws.length} slopes of permuted data, ${range} nats per round`.replace(
      "none nats per round",
      "none",
    ),
    `Observed slope: ${lambda === undefined ? undefinedText(reason) : fixedText(lambda)}`,
    p === undefined ? "No p-value" : `p = ${fixedText(p)}`,
  ];
}

function captionSentences({ draws, lambda, p, studentisedP, reason }: NullHistogramOptions): string[] {
  const observed = lambda === undefined ? undefinedText(reason) : fixedText(lambda);
  const count = draws.length.toLocaleString("en-GB");
  return [
    `Grey: slopes of ${count} permutations, in which the rounds of each replicate are shuffled. Line: observed ${LAMBDA}, ${observed}`,
    p === undefined
      ? `No p-value${reason === undefined ? "" : `: ${reason.replaceAll("-", " ")}`}`
      : `p = ${fixedText(p)} by permutation (the smallest possible is ${fixedText(1 / (draws.length + 1))})`,
    ...(studentisedP === undefined ? [] : [`p = ${fixedText(studentisedP)} by studentised resampling of replicates`]),
    "The permutation tests whether rounds are exchangeable, which drift without any divergence also breaks",
  ];
}
