import * as Plot from "@observablehq/plot";
import { countText, fixedText } from "../core/numbers.ts";
import { type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { COLOURS, MUTED, RULE } from "./palette.ts";
import { wrapText } from "./text.ts";

/** One statement that was written down before looking, and whether it held under each seed. */
export interface PredictionRow {
  readonly statement: string;
  /** Whether it was promised to hold, rather than given a share beforehand. */
  readonly promised: boolean;
  /** What was said beforehand: a share of seeds in [0, 1], or words. */
  readonly expected?: number | string | undefined;
  /** One entry a seed, in the same order in every row; undefined where it could not be decided. */
  readonly held: readonly (boolean | undefined)[];
}

export interface PredictionsPlotOptions extends FigureOptions {
  readonly predictions: readonly PredictionRow[];
  /** What one dot is. Default `seed`. */
  readonly unit?: string;
}

/**
 * Predictions against seeds: a dot where a statement held, a cross where it did not, a dash where it is undecided.
 *
 * The share is held over decided; undecided seeds are counted beside it and never as failures.
 *
 * @throws {RangeError} when an expected share lies outside [0, 1].
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const predictions = [{ statement: "roles > no roles", promised: true, expected: 0.95, held: [true, true, false] }];
 * const { alt } = predictionsPlot({ predictions, synthetic: true });
 * assert.match(alt, /roles > no roles \(promised\): held in 2 of 3, share 0.67, expected 0.95/);
 * ```
 */
export function predictionsPlot(options: PredictionsPlotOptions): Figure {
  const { predictions, unit = "seed" } = options;
  const scored = predictions.map(score);
  const canvas = createCanvas();
  let y = drawLegend(canvas, LEGEND, { y: 12 }) + 8;
  for (const row of scored) y = drawRow(canvas, row, y);
  if (scored.length === 0) canvas.text("No predictions to draw.", WIDTH / 2, y + 12, { anchor: "middle", fill: MUTED });
  return toFigure(options, {
    kind: "predictions",
    canvas,
    height: y + (scored.length === 0 ? 2 * LINE_HEIGHT : 4),
    alt: [
      `Dot matrix of ${countText(scored.length, "prediction")}, one sign for each ${unit}`,
      ...scored.map(({ statement, status, words }) => `${statement} (${status}): ${words.join(", ")}`),
    ],
    caption: [
      `Predictions written down beforehand, one sign for each ${unit}; promised ones were to hold for each, of the others the share is reported`,
    ],
    rows: scored.flatMap(({ statement, promised, expected, held }) =>
      held.map((outcome, i) => ({ statement, promised, expected, [unit]: i + 1, held: outcome }))
    ),
  });
}

const HELD = { colour: COLOURS[0], symbol: "circle" } as const;
const FAILED = { colour: COLOURS[1], symbol: "times" } as const;
const LEGEND: readonly LegendItem[] = [
  { label: "held", ...HELD },
  { label: "did not hold", ...FAILED },
  { label: "undecided", colour: MUTED, dash: "none" },
];

const LEFT = 270;
const STEP = 12;
const PER_LINE = 20;
const TEXT_X = LEFT + PER_LINE * STEP + 16;

interface Scored extends PredictionRow {
  readonly status: "promised" | "not promised";
  readonly words: readonly string[];
}

function score(row: PredictionRow): Scored {
  const { statement, promised, expected, held } = row;
  if (typeof expected === "number" && !(expected >= 0 && expected <= 1)) {
    throw new RangeError(`expected share of "${statement}" is ${expected}; it must be from 0 to 1, or words`);
  }
  const decided = held.filter((outcome) => outcome !== undefined);
  const yes = decided.filter((outcome) => outcome).length;
  const undecided = held.length - decided.length;
  const words = [
    ...(decided.length === 0
      ? ["share undefined: nothing decided"]
      : [`held in ${yes} of ${decided.length}`, `share ${fixedText(yes / decided.length, 2)}`]),
    ...(undecided === 0 ? [] : [`${undecided} undecided`]),
    ...(expected === undefined ? [] : [`expected ${typeof expected === "number" ? fixedText(expected, 2) : expected}`]),
  ];
  return { ...row, status: promised ? "promised" : "not promised", words };
}

function drawRow(canvas: Canvas, { statement, promised, status, words, held }: Scored, y: number): number {
  const label = wrapText(statement, LEFT - 36, TEXT_SIZE, 4);
  const lines = words.flatMap((word) => wrapText(word, WIDTH - TEXT_X - 12, TEXT_SIZE));
  const dotLines = Math.ceil(held.length / PER_LINE);
  const height = Math.max((label.length + 1) * LINE_HEIGHT, lines.length * LINE_HEIGHT, dotLines * STEP) + 16;
  const start = y + 8 + 12;
  const below = canvas.lines(label, 16, start);
  canvas.text(status, 16, below, promised ? { weight: "bold" } : { fill: MUTED });
  canvas.lines(lines, TEXT_X, start);
  drawSigns(canvas, held, y + 8 + LINE_HEIGHT / 2);
  canvas.marks(Plot.ruleY([y + height], { x1: 16, x2: WIDTH - 16, stroke: RULE }));
  return y + height;
}

function drawSigns(canvas: Canvas, held: readonly (boolean | undefined)[], y: number): void {
  const points = held.map((outcome, i) => ({
    outcome,
    point: [LEFT + (i % PER_LINE + 0.5) * STEP, y + Math.floor(i / PER_LINE) * STEP] as const,
  }));
  const of = (wanted: boolean | undefined) => points.flatMap(({ outcome, point }) => outcome === wanted ? [point] : []);
  canvas.marks(
    symbolMark(of(true), HELD),
    symbolMark(of(false), FAILED),
    ...of(undefined).map(([x, y]) => Plot.line([[x - 4, y], [x + 4, y]], { stroke: MUTED, strokeWidth: 1.8 })),
  );
}
