import * as Plot from "@observablehq/plot";
import { countText, fixedText, requireFinite } from "../core/numbers.ts";
import { PUBLISHED_THRESHOLDS } from "../quality/classify.ts";
import { type Classification, type ComponentName, COMPONENTS } from "../schema/station_summary.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { COMPONENT_LOOKS, INK, MUTED, RULE, textOn } from "./palette.ts";
import { textWidth, wrapText } from "./text.ts";

/** The score of one run, or of a group's mean, in its parts. */
export interface QStackRun {
  readonly label: string;
  /** What each component adds to q: weight times component. One that is absent is not known, which is not zero. */
  readonly parts: Readonly<Partial<Record<ComponentName, number>>>;
  /** Absent: not known. */
  readonly q?: number | undefined;
  readonly classification?: Classification | undefined;
  /** The published q of the same run. */
  readonly published?: number | undefined;
}

export interface QStackOptions extends FigureOptions {
  /** A bar each, in this order. */
  readonly runs: readonly QStackRun[];
}

/**
 * What the nine components add to the quality of survival of each run, stacked in the order of the score's list, with
 * the total, the class, and the published total as a hollow diamond.
 *
 * The number in a part repeats its colour. Source: Tables 4 and 5 of the station paper.
 *
 * @throws {RangeError} when a part is negative or not finite, or a q lies outside [0, 1].
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const runs = [{ label: "seed 104", parts: { executability: 0.19, trust: 0.09 }, published: 0.774 }];
 * const { alt } = qStack({ runs, synthetic: true });
 * assert.match(alt, /seed 104: q not known, published 0.774; executability 0.190, trust 0.090; not known: public order/);
 * ```
 */
export function qStack(options: QStackOptions): Figure {
  const { runs } = options;
  runs.forEach(checkRun);
  const canvas = createCanvas();
  const top = drawLegend(canvas, legendItems(runs), { y: 12 }) + 10;
  // Weights that sum to more than 1 can stack higher than any q.
  const most = Math.max(1, ...runs.map(({ parts }) => Object.values(parts).reduce((sum, part) => sum + part, 0)));
  let y = top;
  const bars = runs.map((run) => {
    const bar = layOut(run, y);
    y = bar.bottom;
    return bar;
  });
  if (runs.length === 0) canvas.text("No runs to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
  else canvas.plot(axis(most, top, y), 0, 0);
  for (const bar of bars) drawBar(canvas, bar, (WIDTH - LEFT - RIGHT) / most);
  return toFigure(options, {
    kind: "q-stack",
    canvas,
    height: y + (runs.length === 0 ? 2 * LINE_HEIGHT : AXIS_HEIGHT),
    alt: [`Stacked bars of the quality of survival q of ${countText(runs.length, "run")}`, ...runs.map(altWords)],
    caption: [
      "What each component adds to the quality of survival q: its weight times its value. Dashed: where the classes begin",
      ...(runs.some(({ published }) => published !== undefined) ? ["Hollow diamonds: published totals"] : []),
      ...(runs.some((run) => missing(run).length > 0)
        ? ["Bars of runs with unknown components hold the known ones only"]
        : []),
    ],
    rows: runs.map(({ label, parts, q, classification, published }) => ({
      label,
      ...Object.fromEntries(COMPONENTS.map((name) => [name, parts[name]])),
      ...{ q, classification, published },
    })),
  });
}

const LEFT = 150;
const RIGHT = 176;
const AXIS_HEIGHT = 48;
const BAR_HEIGHT = 24;
const THRESHOLDS = [
  { label: "adequate", value: PUBLISHED_THRESHOLDS.adequate, dash: "6 3" },
  { label: "strong", value: PUBLISHED_THRESHOLDS.strong, dash: "2 3" },
];

const words = (name: string): string => name.toLowerCase().replaceAll("_", " ");
const className = (classification: Classification): string => words(classification.replace("BENCHMARK_", ""));
const missing = ({ parts }: QStackRun): ComponentName[] => COMPONENTS.filter((name) => parts[name] === undefined);

function checkRun({ label, parts, q, published }: QStackRun): void {
  for (const name of COMPONENTS) {
    requireFinite(`${name} of "${label}"`, parts[name]);
    if ((parts[name] ?? 0) < 0) throw new RangeError(`${name} of "${label}" is ${parts[name]}; parts are at least 0`);
  }
  for (const total of [q, published]) {
    if (total === undefined || (total >= 0 && total <= 1)) continue;
    throw new RangeError(`q of "${label}" is ${total}; it must be from 0 to 1, or be left out when not known`);
  }
}

function legendItems(runs: readonly QStackRun[]): LegendItem[] {
  return [
    ...COMPONENT_LOOKS.map(({ name, number, colour }) => ({ label: `${number} ${words(name)}`, colour, area: 1 })),
    ...THRESHOLDS.map(({ label, value, dash }) => ({
      ...{ label: `${label} from ${fixedText(value, 2)}`, colour: INK, dash, thickness: 1.2 },
    })),
    ...(runs.some(({ published }) => published !== undefined)
      ? [{ label: "published q", colour: INK, symbol: "diamond", hollow: true } as const]
      : []),
  ];
}

interface Bar {
  readonly run: QStackRun;
  readonly heading: readonly string[];
  readonly bold: readonly string[];
  readonly lines: readonly string[];
  readonly top: number;
  readonly bottom: number;
}

function layOut(run: QStackRun, top: number): Bar {
  const heading = wrapText(run.label, LEFT - 32, BOLD_SIZE, 3);
  const [total, ...notes] = totalWords(run);
  const lines = [...notes, ...unknownWords(run)].flatMap((note) => wrapText(note, RIGHT - 30, TEXT_SIZE, 4));
  const height = Math.max(heading.length * LINE_HEIGHT, (1 + lines.length) * LINE_HEIGHT, BAR_HEIGHT + 14) + 10;
  return { run, heading, bold: [total!], lines, top, bottom: top + height };
}

function totalWords({ q, classification, published }: QStackRun): string[] {
  return [
    q === undefined ? "q not known" : `q ${fixedText(q, 3)}`,
    ...(classification === undefined ? [] : [className(classification)]),
    ...(published === undefined ? [] : [`published ${fixedText(published, 3)}`]),
  ];
}

function unknownWords(run: QStackRun): string[] {
  const names = missing(run);
  if (names.length === COMPONENTS.length) return ["no component known"];
  return names.length === 0 ? [] : [`not known: ${names.map(words).join(", ")}`];
}

function altWords(run: QStackRun): string {
  const known = COMPONENTS.flatMap((name) => {
    const part = run.parts[name];
    return part === undefined ? [] : [`${words(name)} ${fixedText(part, 3)}`];
  });
  const sections = [totalWords(run).join(", "), known.join(", "), ...unknownWords(run)];
  return `${run.label}: ${sections.filter((section) => section !== "").join("; ")}`;
}

function axis(most: number, top: number, bottom: number): Plot.PlotOptions {
  return {
    ...{ width: WIDTH, height: bottom + AXIS_HEIGHT, marginLeft: LEFT, marginRight: RIGHT, marginTop: top },
    marginBottom: AXIS_HEIGHT,
    x: { domain: [0, most], ticks: 5, label: "Quality of survival q", labelAnchor: "center", labelArrow: "none" },
    y: { axis: null },
    marks: [
      Plot.gridX({ ticks: 5, stroke: RULE, strokeOpacity: 1 }),
      ...THRESHOLDS.map(({ value, dash }) =>
        Plot.ruleX([value], { stroke: INK, strokeWidth: 1.2, strokeDasharray: dash })
      ),
      Plot.frame({ anchor: "bottom", stroke: INK }),
    ],
  };
}

function drawBar(canvas: Canvas, { run, heading, bold, lines, top, bottom }: Bar, scale: number): void {
  const middle = (top + bottom) / 2;
  const start = (count: number) => middle - (count * LINE_HEIGHT) / 2 + 12;
  canvas.lines(heading, LEFT - 16, start(heading.length), { anchor: "end", weight: "bold" });
  const x = WIDTH - RIGHT + 16;
  canvas.lines(lines, x, canvas.lines(bold, x, start(1 + lines.length), { weight: "bold" }));
  let left = LEFT;
  const boxes = COMPONENT_LOOKS.flatMap(({ name, number, colour }) => {
    const [x1, x2] = [left, left + (run.parts[name] ?? 0) * scale];
    left = x2;
    return x2 > x1 ? [{ x1, x2, y1: middle - BAR_HEIGHT / 2, y2: middle + BAR_HEIGHT / 2, number, colour }] : [];
  });
  canvas.marks(
    Plot.rect(boxes, { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: "colour", stroke: "white", strokeWidth: 0.8 }),
  );
  for (const { x1, x2, number, colour } of boxes) {
    if (x2 - x1 < textWidth(number, 11) + 1) continue;
    canvas.text(number, (x1 + x2) / 2, middle + 4, { anchor: "middle", size: 11, fill: textOn(colour) });
  }
  if (run.published !== undefined) {
    const at = [LEFT + run.published * scale, middle - BAR_HEIGHT / 2 - 6] as const;
    canvas.marks(symbolMark([at], { colour: INK, symbol: "diamond", hollow: true, r: 5 }));
  }
}
