import * as Plot from "@observablehq/plot";
import { countText, fixedText, requireFinite } from "../core/numbers.ts";
import { type Classification, CLASSIFICATIONS } from "../schema/quality_names.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem } from "./legend.ts";
import { COLOURS, INK, MUTED, textOn } from "./palette.ts";
import { textWidth, wrapText } from "./text.ts";

/** How many runs are in which class at one threshold. */
export interface ThresholdStepCounts {
  readonly threshold: number;
  readonly counts: Readonly<Record<Classification | "undecided", number>>;
}

/** One threshold moved, the other kept. */
export interface ThresholdPanel {
  readonly title: string;
  /** Equally spaced, rising. */
  readonly steps: readonly ThresholdStepCounts[];
  /** Where the threshold stands as published: a dashed rule. */
  readonly published?: number | undefined;
}

export interface ThresholdPlotOptions extends FigureOptions {
  /** One below the other. */
  readonly panels: readonly ThresholdPanel[];
}

/**
 * Numbers of runs in each outcome class as a threshold moves: stacked bars, best class at the bottom.
 *
 * The letter in a bar repeats its colour where there is room. Source: the classes of Table 5 of the station paper, whose
 * thresholds are "exploratory design choices".
 *
 * @throws {RangeError} when a threshold is not finite or a count is not a whole number of at least 0.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const counts = { BENCHMARK_STRONG: 24, BENCHMARK_ADEQUATE: 8, BENCHMARK_BRITTLE: 3, FAILED_AFTER_VALID_PLAN: 0,
 *   FAILED_NO_VALID_PLAN: 1, undecided: 0 };
 * const panels = [{ title: "strong from", steps: [{ threshold: 0.82, counts }], published: 0.82 }];
 * const { alt } = thresholdPlot({ panels, synthetic: false });
 * assert.match(alt, /strong from: at 0\.820 strong 24, adequate 8, brittle 3, failed no valid plan 1/);
 * ```
 */
export function thresholdPlot(options: ThresholdPlotOptions): Figure {
  const { panels } = options;
  for (const panel of panels) checkPanel(panel);
  const canvas = createCanvas();
  const steps = panels.flatMap(({ steps }) => steps);
  const used = LOOKS.filter(({ name }) => steps.some(({ counts }) => counts[name] > 0));
  let y = drawLegend(canvas, legendItems(panels, used), { y: 12 }) + 6;
  if (steps.length === 0) canvas.text("No thresholds to draw.", WIDTH / 2, y + 12, { anchor: "middle", fill: MUTED });
  for (const panel of panels.filter(({ steps }) => steps.length > 0)) y = drawPanel(canvas, panel, used, y);
  return toFigure(options, {
    kind: "thresholds",
    canvas,
    height: steps.length === 0 ? y + 2 * LINE_HEIGHT : y + 4,
    alt: [
      `Stacked bars of class counts in ${countText(panels.length, "panel")}`,
      ...panels.map(({ title, steps }) => `${title}: ${steps.map(stepWords).join("; ")}`),
    ],
    caption: [
      "Number of runs in each class as one threshold moves and the other stays",
      ...(panels.some(({ published }) => published !== undefined) ? ["Dashed: the published threshold"] : []),
      ...(used.some(({ name }) => name === "undecided")
        ? ["Undecided: within rounding, or bounds, of a threshold"]
        : []),
    ],
    rows: panels.flatMap(({ title: panel, steps }) =>
      steps.map(({ threshold, counts }) => ({
        ...{ panel, threshold },
        ...Object.fromEntries(LOOKS.map(({ name }) => [name, counts[name]])),
      }))
    ),
  });
}

type ClassName = Classification | "undecided";

const WORDS: Readonly<Record<ClassName, readonly [letter: string, words: string, colour: string]>> = {
  BENCHMARK_STRONG: ["S", "strong", COLOURS[0]],
  BENCHMARK_ADEQUATE: ["A", "adequate", COLOURS[6]],
  BENCHMARK_BRITTLE: ["B", "brittle", COLOURS[5]],
  FAILED_AFTER_VALID_PLAN: ["V", "failed after valid plan", COLOURS[3]],
  FAILED_NO_VALID_PLAN: ["F", "failed no valid plan", COLOURS[4]],
  undecided: ["?", "undecided", "#d9d9d9"],
};

/** From the bottom up. */
const LOOKS = [...CLASSIFICATIONS.slice(0, 1), "undecided" as const, ...CLASSIFICATIONS.slice(1)].map((name) => {
  const [letter, words, colour] = WORDS[name];
  return { name, letter, words, colour };
});
type Look = typeof LOOKS[number];

const PLOT_HEIGHT = 190;
const LEFT = 56;
const RIGHT = 20;

function checkPanel({ title, steps, published }: ThresholdPanel): void {
  requireFinite(`a threshold of "${title}"`, published, ...steps.map(({ threshold }) => threshold));
  for (const { threshold, counts } of steps) {
    for (const { name } of LOOKS) {
      if (Number.isSafeInteger(counts[name]) && counts[name] >= 0) continue;
      throw new RangeError(`"${title}" at ${threshold} has ${counts[name]} runs ${name}; give whole counts`);
    }
  }
}

function legendItems(panels: readonly ThresholdPanel[], used: readonly Look[]): LegendItem[] {
  const items: LegendItem[] = used.map(({ letter, words, colour }) => ({
    label: `${letter} ${words}`,
    colour,
    area: 1,
  }));
  const marked = panels.some(({ published }) => published !== undefined);
  return marked ? [...items, { label: "published threshold", colour: INK, dash: "4 3", thickness: 1.4 }] : items;
}

function stepWords({ threshold, counts }: ThresholdStepCounts): string {
  const words = LOOKS.flatMap(({ name, words }) => (counts[name] > 0 ? [`${words} ${counts[name]}`] : []));
  return `at ${fixedText(threshold, 3)} ${words.length === 0 ? "no runs" : words.join(", ")}`;
}

/** Returns the `y` below the panel. */
function drawPanel(canvas: Canvas, { title, steps, published }: ThresholdPanel, used: readonly Look[], y: number) {
  const top = canvas.lines(wrapText(title, WIDTH - LEFT - RIGHT, BOLD_SIZE, 2), LEFT, y + 12, { weight: "bold" }) - 8;
  const gaps = steps.slice(1).map(({ threshold }, i) => threshold - steps[i]!.threshold);
  const half = (gaps.length === 0 ? 0.01 : Math.min(...gaps)) / 2;
  const bars = steps.flatMap(({ threshold, counts }) => {
    let below = 0;
    return used.map(({ name, letter, colour }) => {
      const [y1, y2] = [below, below += counts[name]];
      return { x1: threshold - half, x2: threshold + half, y1, y2, letter, colour };
    });
  }).filter(({ y1, y2 }) => y2 > y1);
  const most = Math.max(1, ...bars.map(({ y2 }) => y2));
  const plot = canvas.plot(
    {
      ...{ width: WIDTH, height: PLOT_HEIGHT, marginLeft: LEFT, marginRight: RIGHT, marginTop: 8, marginBottom: 30 },
      x: { ticks: 8, label: null, domain: [steps[0]!.threshold - half, steps.at(-1)!.threshold + half] },
      y: { domain: [0, most], ticks: 4, label: "runs", labelArrow: "none" },
      color: { type: "identity" },
      marks: [
        Plot.rect(bars, {
          ...{ x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: "colour", stroke: "white", strokeWidth: 0.5 },
        }),
        ...(published === undefined
          ? []
          : [Plot.ruleX([published], { stroke: INK, strokeWidth: 1.6, strokeDasharray: "4 3" })]),
        Plot.frame({ anchor: "bottom", stroke: INK }),
      ],
    },
    0,
    top,
  );
  // No letter under the rule, which would strike it through.
  const free = bars.filter(({ x1, x2 }) => published === undefined || published <= x1 || published >= x2);
  drawLetters(canvas, free, plot, top);
  return top + PLOT_HEIGHT;
}

interface Bar {
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
  readonly letter: string;
  readonly colour: string;
}

function drawLetters(canvas: Canvas, bars: readonly Bar[], plot: Plot.Plot, top: number): void {
  const [x, y] = [plot.scale("x")!, plot.scale("y")!];
  for (const { x1, x2, y1, y2, letter, colour } of bars) {
    const [width, height] = [x.apply(x2) - x.apply(x1), y.apply(y1) - y.apply(y2)];
    if (width < textWidth(letter, 11) + 2 || height < 13) continue;
    const style = { anchor: "middle", size: 11, fill: textOn(colour) } as const;
    canvas.text(letter, x.apply((x1 + x2) / 2), top + y.apply((y1 + y2) / 2) + 4, style);
  }
}
