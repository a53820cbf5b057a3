import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { extent } from "d3-array";
import { countText, fixedText, requireFinite } from "../core/numbers.ts";
import { PUBLISHED_THRESHOLDS } from "../quality/classify.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { COLOURS, INK, MUTED, RULE, SHADE } from "./palette.ts";
import { wrapText } from "./text.ts";

/** What a value may be. */
export interface BoundsRow {
  readonly label: string;
  readonly low: number;
  readonly high: number;
  /** The value as published, under the published weights. */
  readonly published?: number | undefined;
  /** A few words at the right, such as the class. */
  readonly note?: string | undefined;
}

/** Rows that belong together, such as the runs of a model family. */
export interface BoundsGroup {
  /** Drawn above the rows with `headings`; without, groups are only set apart by their background. */
  readonly label: string;
  readonly rows: readonly BoundsRow[];
}

export interface BoundsPlotOptions extends FigureOptions {
  /** Drawn in this order. */
  readonly groups: readonly BoundsGroup[];
  /** Whether each group stands under its label. Default false: for rows whose labels name it themselves. */
  readonly headings?: boolean;
  /** What is bounded. Default: quality of survival q. */
  readonly quantity?: string;
  /** Marked across all rows. Default: the class thresholds of q, and none for another quantity. */
  readonly thresholds?: readonly { readonly label: string; readonly value: number }[];
}

/**
 * What many values may be, one bar a row, a line high: the compact companion of `intervalPlot` for bounds that were
 * derived, not estimated. The published value is a hollow diamond.
 *
 * Source: the 36 published runs of Tables 8 and 11 of the station paper, with the classes of Table 5.
 *
 * @throws {RangeError} when a number is not finite, or a low end lies above its high end.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const rows = [{ label: "MIMO 109", low: 0.94, high: 0.98, published: 0.961, note: "strong" }];
 * const { alt } = boundsPlot({ groups: [{ label: "MIMO", rows }], synthetic: false });
 * assert.match(alt, /MIMO 109: 0\.940 to 0\.980, published 0\.961, strong/);
 * ```
 */
export function boundsPlot(options: BoundsPlotOptions): Figure {
  const { groups, quantity = "quality of survival q", headings = false } = options;
  const thresholds = options.thresholds ?? (options.quantity === undefined ? CLASSES : []);
  const rows = groups.flatMap(({ rows }) => rows);
  rows.forEach(checkRow);
  for (const { label, value } of thresholds) requireFinite(`threshold "${label}"`, value);
  const canvas = createCanvas();
  const top = drawLegend(canvas, legendItems(rows, thresholds), { y: 12 }) + 8;
  const placed = place(groups, { top, headings });
  const bottom = placed.at(-1)?.bottom ?? top;
  drawRows(canvas, placed, groups.length);
  if (rows.length > 0) {
    canvas.plot(axis({ placed, thresholds, quantity, top, bottom }), 0, 0);
  } else canvas.text("No bounds to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
  return toFigure(options, {
    kind: "bounds",
    canvas,
    height: bottom + (rows.length === 0 ? 2 * LINE_HEIGHT : AXIS_HEIGHT),
    alt: [
      `Bounds of ${quantity} in ${countText(rows.length, "row")}`,
      ...groups.flatMap(({ label, rows }) =>
        rows.map((row) => `${headings ? `${label}, ` : ""}${row.label}: ${rowWords(row)}`)
      ),
      ...thresholds.map(({ label, value }) => `${label} from ${fixedText(value, 2)}`),
    ],
    caption: [
      `What ${quantity} may be: every value in a bar is compatible with what is known, none outside is`,
      ...(rows.some(({ published }) => published !== undefined) ? ["Hollow diamonds: published values"] : []),
    ],
    rows: groups.flatMap(({ label: group, rows }) =>
      rows.map(({ label, low, high, published, note }) => ({ group, label, low, high, published, note }))
    ),
  });
}

const CLASSES = [
  { label: "adequate", value: PUBLISHED_THRESHOLDS.adequate },
  { label: "strong", value: PUBLISHED_THRESHOLDS.strong },
];
const LEFT = 160;
const RIGHT = 130;
const AXIS_HEIGHT = 48;
const DASHES = ["6 3", "2 3", "10 3 2 3"];

interface Placed {
  readonly row: BoundsRow;
  readonly group: number;
  /** Where the row begins, its group's heading included. */
  readonly start: number;
  readonly heading: readonly string[];
  readonly top: number;
  readonly bottom: number;
  readonly label: readonly string[];
  readonly note: readonly string[];
}

function checkRow({ label, low, high, published }: BoundsRow): void {
  requireFinite(`row "${label}"`, low, high, published);
  if (low > high) throw new RangeError(`row "${label}" runs from ${low} down to ${high}; the low end comes first`);
}

function rowWords({ low, high, published, note }: BoundsRow): string {
  return [
    `${fixedText(low, 3)} to ${fixedText(high, 3)}`,
    ...(published === undefined ? [] : [`published ${fixedText(published, 3)}`]),
    ...(note === undefined ? [] : [note]),
  ].join(", ");
}

function legendItems(
  rows: readonly BoundsRow[],
  thresholds: readonly { label: string; value: number }[],
): LegendItem[] {
  return [
    ...(rows.length > 0 ? [{ label: "bounds", colour: COLOURS[0], dash: "none", thickness: 5 }] : []),
    ...(rows.some(({ published }) => published !== undefined)
      ? [{ label: "published", colour: COLOURS[1], symbol: "diamond", hollow: true } as const]
      : []),
    ...thresholds.map(({ label, value }, i) => ({
      label: `${label} from ${fixedText(value, 2)}`,
      ...{ colour: INK, dash: DASHES[i % DASHES.length]!, thickness: 1.2 },
    })),
  ];
}

function place(
  groups: readonly BoundsGroup[],
  { top: first, headings }: { top: number; headings: boolean },
): Placed[] {
  let y = first;
  return groups.flatMap(({ label: name, rows }, group) =>
    rows.map((row, i) => {
      const start = y;
      const heading = headings && i === 0 ? wrapText(name, WIDTH - 48, BOLD_SIZE, 2) : [];
      const label = wrapText(row.label, LEFT - 24, TEXT_SIZE, 2);
      const note = wrapText(row.note ?? "", RIGHT - 24, TEXT_SIZE, 2);
      const top = start + (heading.length === 0 ? 0 : heading.length * LINE_HEIGHT + 4);
      y = top + Math.max(label.length, note.length) * LINE_HEIGHT + 2;
      return { row, group, label, note, heading, start, top, bottom: y };
    })
  );
}

/** Names and notes, on a shade behind every other group. */
function drawRows(canvas: Canvas, placed: readonly Placed[], groups: number): void {
  for (let group = 1; group < groups; group += 2) {
    const own = placed.filter((row) => row.group === group);
    if (own.length === 0) continue;
    const box = { x1: 8, x2: WIDTH - 8, y1: own[0]!.start, y2: own.at(-1)!.bottom };
    canvas.marks(Plot.rect([box], { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: SHADE }));
  }
  for (const { label, note, heading, start: above, top, bottom } of placed) {
    canvas.lines(heading, 24, above + 14, { weight: "bold" });
    const start = (count: number) => (top + bottom) / 2 - (count * LINE_HEIGHT) / 2 + 12;
    canvas.lines(label, LEFT - 12, start(label.length), { anchor: "end" });
    canvas.lines(note, WIDTH - RIGHT + 12, start(note.length));
  }
}

function axis({ placed, thresholds, quantity, top, bottom }: {
  placed: readonly Placed[];
  thresholds: readonly { value: number }[];
  quantity: string;
  top: number;
  bottom: number;
}): Plot.PlotOptions {
  const numbers = placed.flatMap(({ row: { low, high, published } }) => [low, high, published ?? low]);
  const [low = 0, high = 1] = extent([...numbers, ...thresholds.map(({ value }) => value)]);
  const pad = (high - low) * 0.03 || 0.05;
  return {
    ...{ width: WIDTH, height: bottom + AXIS_HEIGHT, marginLeft: LEFT, marginRight: RIGHT, marginTop: top },
    marginBottom: AXIS_HEIGHT,
    x: {
      ...{ domain: [low - pad, high + pad], ticks: 5, labelAnchor: "center", labelArrow: "none" },
      label: wrapText(quantity, WIDTH - LEFT - RIGHT, TEXT_SIZE, 1)[0]!,
    },
    y: { type: "identity", axis: null },
    marks: [
      Plot.gridX({ ticks: 5, stroke: RULE, strokeOpacity: 1 }),
      ...thresholds.map(({ value }, i) =>
        Plot.ruleX([value], { stroke: INK, strokeWidth: 1.2, strokeDasharray: DASHES[i % DASHES.length]! })
      ),
      Plot.frame({ anchor: "bottom", stroke: INK }),
      ...placed.flatMap(rowMarks),
    ],
  };
}

/** A bar; a value that is known exactly is a dot, since a bar of no width could not be seen. */
function rowMarks({ row: { low, high, published }, top, bottom }: Placed): Plot.Markish[] {
  const middle = (top + bottom) / 2;
  return [
    high > low
      ? Plot.rect([{ x1: low, x2: high, y1: middle - 3.5, y2: middle + 3.5 }], {
        ...{ x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: COLOURS[0], stroke: COLOURS[0], strokeWidth: 1 },
      })
      : symbolMark([[low, middle]], { colour: COLOURS[0], symbol: "circle" }),
    ...(published === undefined
      ? []
      : [symbolMark([[published, middle]], { colour: COLOURS[1], symbol: "diamond", hollow: true })]),
  ];
}
