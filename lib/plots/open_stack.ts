import * as Plot from "@observablehq/plot";
import { countText, fixedText, requireFinite } from "../core/numbers.ts";
import { PUBLISHED_THRESHOLDS } from "../quality/classify.ts";
import { type ComponentName, COMPONENTS } from "../schema/quality_names.ts";
import { type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem } from "./legend.ts";
import { COMPONENT_LOOKS, INK, MUTED, RULE, SHADE, textOn } from "./palette.ts";
import { hatchMark } from "./shading.ts";
import { textWidth, wrapText } from "./text.ts";

/** A published q in the parts that are determined, and a block of the rest. */
export interface OpenStackRun {
  readonly label: string;
  readonly q: number;
  /** What each determined component adds to q. */
  readonly parts: Readonly<Partial<Record<ComponentName, number>>>;
  /** The components that are not determined: what they add together, of the most that they could. */
  readonly open: { readonly earned: number; readonly weight: number };
}

/** Runs that belong together, such as those of a model family. */
export interface OpenStackGroup {
  /** Not drawn: the runs' labels name it too; groups are set apart by their background. */
  readonly label: string;
  readonly runs: readonly OpenStackRun[];
}

export interface OpenStackOptions extends FigureOptions {
  /** Drawn in this order. */
  readonly groups: readonly OpenStackGroup[];
}

/**
 * What is known of how published scores are made up, a line a run: determined components as in `qStack`, then one
 * hatched block for all that was not published, and a thin line to where that block would end if nothing of it were
 * lost. The block holds a sum: nothing is said of how it divides.
 *
 * @throws {RangeError} when a number is negative or not finite, or a block earns more than its weight.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const runs = [{ label: "MIMO 109", q: 0.961, parts: { time_to_pass: 0.12 }, open: { earned: 0.841, weight: 0.88 } }];
 * const { alt } = openStack({ groups: [{ label: "MIMO", runs }], synthetic: false });
 * assert.match(alt, /MIMO 109: q 0\.961; time to pass 0\.120; not determined 0\.841 of 0\.880/);
 * ```
 */
export function openStack(options: OpenStackOptions): Figure {
  const groups = options.groups.filter(({ runs }) => runs.length > 0);
  const runs = groups.flatMap(({ runs }) => runs);
  runs.forEach(checkRun);
  const canvas = createCanvas();
  const top = drawLegend(canvas, legendItems(runs), { y: 12 }) + 8;
  const bars = place(groups, top);
  const bottom = bars.at(-1)?.bottom ?? top;
  shadeGroups(canvas, bars, groups.length);
  if (runs.length === 0) canvas.text("No runs to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
  else canvas.plot(axis(top, bottom), 0, 0);
  for (const bar of bars) drawBar(canvas, bar);
  if (runs.length > 0) drawThresholds(canvas, top, bottom);
  return toFigure(options, {
    kind: "open-stack",
    canvas,
    height: bottom + (runs.length === 0 ? 2 * LINE_HEIGHT : AXIS_HEIGHT),
    alt: [
      `Stacked bars of the quality of survival q of ${countText(runs.length, "run")}`,
      ...runs.map(altWords),
    ],
    caption: [
      ...(someOpen(runs)
        ? [
          "What the determined components add to the quality of survival q, and in the hatched block what all others " +
          "add together",
          "At the right: q, and the share of the block's weight that was earned; the thin line ends where all of it would",
        ]
        : ["What each component adds to the quality of survival q, which stands at the right"]),
    ],
    rows: groups.flatMap(({ label: group, runs }) =>
      runs.map(({ label, q, parts, open }) => ({
        ...{ group, label, q, ...Object.fromEntries(COMPONENTS.map((name) => [name, parts[name]])) },
        ...{ openEarned: open.earned, openWeight: open.weight },
      }))
    ),
  });
}

const LEFT = 160;
const RIGHT = 130;
const AXIS_HEIGHT = 48;
const BAR_HEIGHT = 13;
const SCALE = WIDTH - LEFT - RIGHT;
const THRESHOLDS = [
  { label: "adequate", value: PUBLISHED_THRESHOLDS.adequate, dash: "6 3" },
  { label: "strong", value: PUBLISHED_THRESHOLDS.strong, dash: "2 3" },
];

interface Bar {
  readonly run: OpenStackRun;
  readonly group: number;
  readonly label: readonly string[];
  readonly top: number;
  readonly bottom: number;
}

function checkRun({ label, q, parts, open }: OpenStackRun): void {
  const numbers = [q, open.earned, open.weight, ...Object.values(parts)];
  requireFinite(`run "${label}"`, ...numbers);
  const negative = numbers.find((number) => number < 0);
  if (negative !== undefined) throw new RangeError(`run "${label}" has ${negative}; parts are at least 0`);
  if (open.earned <= open.weight + 1e-9) return;
  throw new RangeError(`the open block of "${label}" earns ${open.earned} of ${open.weight}; it cannot earn more`);
}

function legendItems(runs: readonly OpenStackRun[]): LegendItem[] {
  const drawn = COMPONENT_LOOKS.filter(({ name }) => runs.some(({ parts }) => parts[name] !== undefined));
  return [
    ...drawn.map(({ name, number, colour }) => ({ label: `${number} ${words(name)}`, colour, area: 1 })),
    ...(someOpen(runs) ? [{ label: "hatched: not determined one by one", colour: MUTED, area: 0.25 }] : []),
    ...THRESHOLDS.map(({ label, value, dash }) => ({
      ...{ label: `${label} from ${fixedText(value, 2)}`, colour: INK, dash, thickness: 1.2 },
    })),
  ];
}

const someOpen = (runs: readonly OpenStackRun[]): boolean => runs.some(({ open }) => open.weight > 0);

const words = (name: string): string => name.replaceAll("_", " ");

function place(groups: readonly OpenStackGroup[], top: number): Bar[] {
  let y = top;
  return groups.flatMap(({ runs }, group) =>
    runs.map((run) => {
      const label = wrapText(run.label, LEFT - 24, TEXT_SIZE, 2);
      const start = y;
      y += label.length * LINE_HEIGHT + 2;
      return { run, group, label, top: start, bottom: y };
    })
  );
}

function shadeGroups(canvas: Canvas, bars: readonly Bar[], groups: number): void {
  for (let group = 1; group < groups; group += 2) {
    const own = bars.filter((bar) => bar.group === group);
    const box = { x1: 8, x2: WIDTH - 8, y1: own[0]!.top, y2: own.at(-1)!.bottom };
    canvas.marks(Plot.rect([box], { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: SHADE }));
  }
}

function axis(top: number, bottom: number): Plot.PlotOptions {
  return {
    ...{ width: WIDTH, height: bottom + AXIS_HEIGHT, marginLeft: LEFT, marginRight: RIGHT, marginTop: top },
    marginBottom: AXIS_HEIGHT,
    x: { domain: [0, 1], ticks: 5, label: "Quality of survival q", labelAnchor: "center", labelArrow: "none" },
    y: { axis: null },
    marks: [
      Plot.gridX({ ticks: 5, stroke: RULE, strokeOpacity: 1 }),
      Plot.frame({ anchor: "bottom", stroke: INK }),
    ],
  };
}

function drawBar(canvas: Canvas, { run, label, top, bottom }: Bar): void {
  const middle = (top + bottom) / 2;
  canvas.lines(label, LEFT - 12, middle - (label.length * LINE_HEIGHT) / 2 + 12, { anchor: "end" });
  canvas.text(shareWords(run), WIDTH - RIGHT + 12, middle + 4);
  let x = LEFT;
  const next = (width: number) => {
    const x1 = x;
    x += width * SCALE;
    return { x1, x2: x, y1: middle - BAR_HEIGHT / 2, y2: middle + BAR_HEIGHT / 2 };
  };
  for (const { name, number, colour } of COMPONENT_LOOKS) {
    const box = next(run.parts[name] ?? 0);
    if (box.x2 === box.x1) continue;
    canvas.marks(Plot.rect([box], { ...BOX, fill: colour, stroke: "white", strokeWidth: 0.8 }));
    if (box.x2 - box.x1 < textWidth(number, 10) + 1) continue;
    canvas.text(number, (box.x1 + box.x2) / 2, middle + 3.5, { anchor: "middle", size: 10, fill: textOn(colour) });
  }
  if (run.open.weight > 0) drawBlock(canvas, next(run.open.earned), LEFT + (sumOf(run) + run.open.weight) * SCALE);
}

/** What is not determined one by one, and a line to where it would end if nothing of it were lost. */
function drawBlock(canvas: Canvas, block: { x1: number; x2: number; y1: number; y2: number }, whole: number): void {
  const middle = (block.y1 + block.y2) / 2;
  canvas.marks(
    Plot.rect([block], { ...BOX, fill: "white", stroke: MUTED, strokeWidth: 1 }),
    hatchMark(block),
    Plot.line([[block.x2, middle], [whole, middle]], { stroke: MUTED, strokeWidth: 1 }),
    Plot.line([[whole, block.y1 + 2], [whole, block.y2 - 2]], { stroke: MUTED, strokeWidth: 1 }),
  );
}

const sumOf = ({ parts }: OpenStackRun): number => Object.values(parts).reduce((sum, part) => sum + part, 0);

/** Over the bars, which reach beyond nearly every threshold. */
function drawThresholds(canvas: Canvas, top: number, bottom: number): void {
  canvas.marks(...THRESHOLDS.map(({ value, dash }) => {
    const x = LEFT + value * SCALE;
    return Plot.line([[x, top], [x, bottom]], { stroke: INK, strokeWidth: 1.2, strokeDasharray: dash });
  }));
}

const BOX = { x1: "x1", x2: "x2", y1: "y1", y2: "y2" } as const;

const shareWords = ({ q, open }: OpenStackRun): string =>
  open.weight === 0 ? fixedText(q, 3) : `${fixedText(q, 3)}, ${fixedText(100 * open.earned / open.weight, 1)} %`;

function altWords({ label, q, parts, open }: OpenStackRun): string {
  const known = COMPONENTS.flatMap((name) =>
    parts[name] === undefined ? [] : [`${words(name)} ${fixedText(parts[name], 3)}`]
  );
  return `${label}: q ${fixedText(q, 3)}; ${[...known].join(", ") || "no component determined"}${
    open.weight === 0 ? "" : `; not determined ${fixedText(open.earned, 3)} of ${fixedText(open.weight, 3)}`
  }`;
}
