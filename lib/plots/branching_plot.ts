import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { extent } from "d3-array";
import { countText, fixedText, requireFinite } from "../core/numbers.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem } from "./legend.ts";
import { COLOURS, INK, MUTED, RULE } from "./palette.ts";
import { wrapText } from "./text.ts";

/** The branching certificate of one base state. */
export interface BranchingBase {
  /** Replicate that was continued. */
  readonly base: number;
  /** Continuations that count, of `target` planned. */
  readonly n: number;
  readonly target: number;
  /** Γ̂: mean distance of the continuations less that of their beginnings. */
  readonly gamma: number;
  /** Mean cosine similarity among its continuations; absent where it is undefined. */
  readonly cosIn?: number | undefined;
  /** Mean cosine similarity to the continuations of the other base states; absent where there are none. */
  readonly cosOut?: number | undefined;
}

/** A mean over base states and its standard error. */
export interface MeanWithError {
  readonly mean?: number | undefined;
  readonly se?: number | undefined;
}

export interface BranchingPlotOptions extends FigureOptions {
  readonly bases: readonly BranchingBase[];
  /** Over the bases drawn. */
  readonly gamma: MeanWithError;
  /** Absent: not published. */
  readonly published?: MeanWithError | undefined;
}

/**
 * How far continuations of a committee's state spread: Γ̂ of each base state with the mean ± standard error beside the
 * published one, and the likeness of continuations within a base state and across base states.
 *
 * Source: Figure S6 of the deliberation paper.
 *
 * @throws {RangeError} when a number is not finite.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const bases = [{ base: 0, n: 30, target: 30, gamma: 0.05, cosIn: 0.99, cosOut: 0.97 }];
 * const { alt } = branchingPlot({ bases, gamma: { mean: 0.05 }, published: { mean: 0.054, se: 0.008 }, synthetic: true });
 * assert.match(alt, /replicate 0: Γ̂ 0\.0500, cosine within 0\.9900, across 0\.9700, n = 30 of 30/);
 * ```
 */
export function branchingPlot(options: BranchingPlotOptions): Figure {
  const { bases, gamma, published } = options;
  for (const { base, ...numbers } of bases) requireFinite(`base ${base}`, base, ...Object.values(numbers));
  requireFinite("the mean", gamma.mean, gamma.se, published?.mean, published?.se);
  const canvas = createCanvas();
  const top = drawLegend(canvas, legendItems(options), { y: 12 }) + 8;
  if (bases.length === 0) {
    canvas.text("No base states to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
  } else drawPanels(canvas, options, top);
  return toFigure(options, {
    kind: "branching",
    canvas,
    height: bases.length === 0 ? top + 2 * LINE_HEIGHT : top + HEADING + HEIGHT,
    alt: [
      `Branching entropy ${GAMMA} of ${countText(bases.length, "base state")}`,
      ...bases.map(baseWords),
      `mean ${meanWords(gamma)}, ${
        published?.mean === undefined ? "not published" : `published ${meanWords(published)}`
      }`,
    ],
    caption: [
      `Left: ${GAMMA}, the spread of the continuations of each base state; lines and bands are means ± one standard error`,
      "Right: mean cosine similarity of preferences; both are high throughout, only their difference speaks",
      ...(bases.some(({ n, target }) => n < target)
        ? [`Continuations missing: ${bases.filter(({ n, target }) => n < target).map(shortWords).join(", ")}`]
        : []),
    ],
    rows: bases.map((base) => ({ cosIn: undefined, cosOut: undefined, ...base })),
  });
}

const GAMMA = "Γ\u0302";
const HEADING = 40;
const HEIGHT = 280;
const HALF = WIDTH / 2;
const [OWN, PAPER, OTHER] = COLOURS;

function legendItems({ bases, gamma, published }: BranchingPlotOptions): LegendItem[] {
  const items: LegendItem[] = [];
  if (bases.length > 0) items.push({ label: `${GAMMA} of a base state, measured`, colour: OWN, symbol: "circle" });
  if (gamma.mean !== undefined) {
    items.push({ label: `mean ${meanWords(gamma)}`, colour: OWN, dash: "none", thickness: 1.6, area: 0.15 });
  }
  if (published?.mean !== undefined) {
    items.push({ label: `published ${meanWords(published)}`, colour: PAPER, dash: "7 3", thickness: 1.6, area: 0.15 });
  }
  if (bases.some(({ cosIn }) => cosIn !== undefined)) {
    items.push({ label: "cosine within a base state", colour: OTHER, symbol: "square" });
  }
  if (bases.some(({ cosOut }) => cosOut !== undefined)) {
    items.push({ label: "cosine across base states", colour: INK, symbol: "triangle", hollow: true });
  }
  return items;
}

function meanWords({ mean, se }: MeanWithError): string {
  if (mean === undefined) return "undefined";
  return se === undefined ? fixedText(mean, 3) : `${fixedText(mean, 3)} ± ${fixedText(se, 3)}`;
}

function baseWords({ base, n, target, gamma, cosIn, cosOut }: BranchingBase): string {
  const cosine = (value: number | undefined) => value === undefined ? "undefined" : fixedText(value);
  return `replicate ${base}: ${GAMMA} ${fixedText(gamma)}, cosine within ${cosine(cosIn)}, across ${
    cosine(cosOut)
  }, n = ${n} of ${target}`;
}

const shortWords = ({ base, n, target }: BranchingBase): string => `replicate ${base}, ${n} of ${target}`;

function drawPanels(canvas: Canvas, { bases, gamma, published }: BranchingPlotOptions, top: number): void {
  const places = bases.map(({ base }) => String(base));
  const heading = (text: string, x: number) =>
    canvas.lines(wrapText(text, HALF - 72, BOLD_SIZE, 2), x, top + 14, { weight: "bold" });
  heading(`A. ${GAMMA} by base state`, 56);
  heading("B. Cosine similarity of preferences", HALF + 56);
  const means = [gamma, published ?? {}].flatMap(({ mean, se = 0 }) =>
    mean === undefined ? [] : [mean - se, mean + se]
  );
  const values = bases.map((one) => one.gamma);
  canvas.plot(
    panel(places, padded([0, ...values, ...means]), [
      Plot.ruleY([0], { stroke: INK }),
      ...meanMarks(gamma, OWN, "none"),
      ...meanMarks(published ?? {}, PAPER, "7 3"),
      dots(bases.map(({ gamma }) => gamma), places, { colour: OWN, symbol: "circle" }),
    ]),
    0,
    top + HEADING,
  );
  const cosines = bases.flatMap(({ cosIn, cosOut }) => [cosIn, cosOut]).filter((value) => value !== undefined);
  if (cosines.length === 0) {
    canvas.text("undefined", HALF * 1.5, top + HEADING + HEIGHT / 2, { anchor: "middle", fill: MUTED });
    return;
  }
  canvas.plot(
    panel(places, padded(cosines), [
      Plot.link(bases.filter((one) => one.cosIn !== undefined && one.cosOut !== undefined), {
        ...{ x1: placeOf, x2: placeOf, y1: "cosIn", y2: "cosOut", stroke: MUTED },
      }),
      dots(bases.map(({ cosIn }) => cosIn), places, { colour: OTHER, symbol: "square" }),
      dots(bases.map(({ cosOut }) => cosOut), places, { colour: INK, symbol: "triangle", hollow: true }),
    ]),
    HALF,
    top + HEADING,
  );
}

const placeOf = ({ base }: BranchingBase): string => String(base);

function padded(values: readonly number[]): [number, number] {
  const [low = 0, high = 1] = extent(values);
  const pad = (high - low) * 0.1 || 0.01;
  return [low - pad, high + pad];
}

function panel(places: readonly string[], domain: [number, number], marks: Plot.Markish[]): Plot.PlotOptions {
  return {
    ...{ width: HALF, height: HEIGHT, marginLeft: 56, marginRight: 16, marginTop: 8, marginBottom: 44 },
    x: { type: "point", domain: places, padding: 0.6, label: "Replicate continued", labelAnchor: "center" },
    y: { domain, ticks: 5, label: null },
    marks: [
      Plot.gridY({ ticks: 5, stroke: RULE, strokeOpacity: 1 }),
      Plot.frame({ anchor: "bottom", stroke: INK }),
      ...marks,
    ],
  };
}

function meanMarks({ mean, se }: MeanWithError, colour: string, dash: string): Plot.Markish[] {
  if (mean === undefined) return [];
  const band = se === undefined
    ? []
    : [Plot.rect([{ y1: mean - se, y2: mean + se }], { y1: "y1", y2: "y2", fill: colour, fillOpacity: 0.15 })];
  return [...band, Plot.ruleY([mean], { stroke: colour, strokeWidth: 1.6, strokeDasharray: dash })];
}

function dots(
  values: readonly (number | undefined)[],
  places: readonly string[],
  { colour, symbol, hollow = false }: Pick<LegendItem, "colour" | "hollow"> & {
    symbol: "circle" | "square" | "triangle";
  },
): Plot.Markish {
  const known = values.flatMap((value, i) => value === undefined ? [] : [{ place: places[i]!, value }]);
  const paint = hollow ? { stroke: colour, strokeWidth: 1.6, fill: "white" } : { fill: colour };
  return Plot.dot(known, { x: "place", y: "value", symbol, r: 5, ...paint });
}
