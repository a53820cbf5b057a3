import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { extent } from "d3-array";
import { countText, fixedText, LAMBDA, requireFinite } from "../core/numbers.ts";
import { BOLD_SIZE, createCanvas, LINE_HEIGHT, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { COLOURS, INK, MUTED, RULE } from "./palette.ts";
import { textWidth, wrapText } from "./text.ts";

/** One value on the axis. */
export interface SlopeDot {
  readonly label: string;
  readonly lambda: number;
}

/** A row of values. */
export interface SlopeGroup {
  readonly label: string;
  readonly slopes: readonly SlopeDot[];
}

export interface SlopeStripOptions extends FigureOptions {
  readonly groups: readonly SlopeGroup[];
  /** Slopes to read the values against: vertical lines, named above. */
  readonly references: readonly SlopeDot[];
}

/**
 * Slopes of ln D(t) as dots on one axis, a row a group, against the slopes of growth without sensitivity.
 *
 * A dot left of a line is a value that the line's law, or a slower one, has as well. Values that would cover one
 * another are moved apart upwards.
 *
 * @throws {RangeError} when a slope is not finite.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const groups = [{ label: "roles", slopes: [{ label: "HL-01", lambda: 0.0541 }] }];
 * const references = [{ label: "random walk", lambda: 0.0509 }];
 * const figure = slopeStrip({ groups, references, synthetic: false });
 * assert.match(figure.alt, /roles: 1 value, from 0\.0541 to 0\.0541, 0 at or below random walk/);
 * ```
 */
export function slopeStrip(options: SlopeStripOptions): Figure {
  const { groups } = options;
  const references = options.references.toSorted((a, b) => a.lambda - b.lambda);
  for (const { label, lambda } of [...references, ...groups.flatMap(({ slopes }) => slopes)]) {
    requireFinite(`the slope of "${label}"`, lambda);
  }
  const canvas = createCanvas();
  const values = groups.flatMap(({ slopes }) => slopes.map(({ lambda }) => lambda));
  let height = 2 * LINE_HEIGHT;
  if (values.length === 0) {
    canvas.text("No slopes to draw.", WIDTH / 2, LINE_HEIGHT + 4, { anchor: "middle", fill: MUTED });
  } else {
    const [low, high] = extent([...values, ...references.map(({ lambda }) => lambda)]) as [number, number];
    const pad = (high - low) * 0.05 || 0.01;
    const axis: Axis = { domain: [low - pad, high + pad], references };
    const names = placeNames(axis);
    for (const { lines, x, y } of names) canvas.lines(lines, x, y, { anchor: "middle", weight: "bold" });
    const top = Math.max(12, ...names.map(({ lines, y }) => y + lines.length * LINE_HEIGHT));
    const rows = placeRows(groups, top, axis);
    for (const row of rows) {
      canvas.lines(row.name, LEFT - 16, row.middle - (row.name.length * LINE_HEIGHT) / 2 + 12, {
        anchor: "end",
        weight: "bold",
      });
    }
    const bottom = rows.at(-1)!.bottom;
    canvas.plot(plotOptions(rows, axis, top, bottom), 0, 0);
    height = bottom + AXIS_HEIGHT;
  }
  return toFigure(options, {
    kind: "slope-strip",
    canvas,
    height,
    alt: altSentences(groups, references),
    caption: [
      `Each dot is one ${LAMBDA}, in nats per round`,
      `Lines: what ${LAMBDA} is where D(t) grows without sensitivity: ${
        references.map(({ label, lambda }) => `${label} ${fixedText(lambda)}`).join(", ") || "none"
      }`,
    ],
    rows: [
      ...references.map(({ label, lambda }) => ({ group: "reference", label, lambda })),
      ...groups.flatMap(({ label: group, slopes }) => slopes.map(({ label, lambda }) => ({ group, label, lambda }))),
    ],
  });
}

const LEFT = 176;
const RIGHT = 24;
const AXIS_HEIGHT = 48;
const DOT = 4;

interface Axis {
  readonly domain: readonly [number, number];
  readonly references: readonly SlopeDot[];
}

const place = ({ domain: [low, high] }: Axis, lambda: number): number =>
  LEFT + ((lambda - low) / (high - low)) * (WIDTH - LEFT - RIGHT);

/** Names of the lines, each beneath the last one that it would cover. */
function placeNames(axis: Axis): { lines: string[]; x: number; y: number }[] {
  const placed: { lines: string[]; x: number; y: number; half: number }[] = [];
  for (const { label, lambda } of axis.references) {
    const lines = wrapText(`${label}, ${fixedText(lambda)}`, 150, BOLD_SIZE, 2);
    const half = Math.max(...lines.map((line) => textWidth(line, BOLD_SIZE))) / 2 + 6;
    const x = Math.min(Math.max(place(axis, lambda), half), WIDTH - half);
    const below = placed.filter((other) => Math.abs(other.x - x) < other.half + half);
    const y = Math.max(18, ...below.map((other) => other.y + other.lines.length * LINE_HEIGHT));
    placed.push({ lines, x, y, half });
  }
  return placed;
}

interface Row {
  readonly name: string[];
  readonly middle: number;
  readonly bottom: number;
  readonly dots: readonly (readonly [number, number])[];
}

function placeRows(groups: readonly SlopeGroup[], top: number, axis: Axis): Row[] {
  let y = top;
  return groups.map(({ label, slopes }) => {
    const name = wrapText(label, LEFT - 32, BOLD_SIZE, 3);
    const stacks = stack(slopes.map(({ lambda }) => place(axis, lambda)));
    const deepest = Math.max(0, ...stacks);
    const height = Math.max(name.length * LINE_HEIGHT, (deepest + 1) * 2 * DOT) + 14;
    const base = y + height - 7 - DOT;
    y += height;
    const dots = slopes.map(({ lambda }, i) => [lambda, base - stacks[i]! * 2 * DOT] as const);
    return { name, middle: y - height / 2, bottom: y, dots };
  });
}

/** How many dots high each must stand so that none covers another. */
function stack(places: readonly number[]): number[] {
  const heights: number[] = [];
  const order = places.map((_, i) => i).sort((a, b) => places[a]! - places[b]!);
  order.forEach((i, n) => {
    const taken = order.slice(0, n).filter((j) => places[i]! - places[j]! < 2 * DOT).map((j) => heights[j]!);
    let height = 0;
    while (taken.includes(height)) height++;
    heights[i] = height;
  });
  return heights;
}

function plotOptions(rows: readonly Row[], axis: Axis, top: number, bottom: number): Plot.PlotOptions {
  return {
    ...{ width: WIDTH, height: bottom + AXIS_HEIGHT, marginLeft: LEFT, marginRight: RIGHT },
    ...{ marginTop: top, marginBottom: AXIS_HEIGHT },
    x: {
      ...{ domain: axis.domain, ticks: 7, label: `${LAMBDA}, nats per round` },
      ...{ labelAnchor: "center", labelArrow: "none" },
    },
    y: { domain: [top, bottom], range: [top, bottom], axis: null },
    marks: [
      Plot.ruleY(rows.slice(0, -1).map(({ bottom }) => bottom), { stroke: RULE }),
      Plot.ruleX(axis.references, { x: "lambda", stroke: INK, strokeWidth: 1.4, strokeDasharray: "5 3" }),
      Plot.dot(rows.flatMap(({ dots }) => dots), { x: ([x]) => x, y: ([, y]) => y, r: DOT - 0.5, fill: COLOURS[0] }),
      Plot.frame({ anchor: "bottom", stroke: INK }),
    ],
  };
}

function altSentences(groups: readonly SlopeGroup[], references: readonly SlopeDot[]): string[] {
  return [
    `Dots of slopes in ${countText(groups.length, "row")} against ${countText(references.length, "reference line")}`,
    ...groups.map(({ label, slopes }) => {
      const values = slopes.map(({ lambda }) => lambda), [low, high] = extent(values);
      if (low === undefined || high === undefined) return `${label}: no values`;
      const below = references.map(({ label, lambda }) =>
        `${values.filter((value) => value <= lambda).length} at or below ${label}`
      );
      const words = [`${countText(values.length, "value")}, from ${fixedText(low)} to ${fixedText(high)}`, ...below];
      return `${label}: ${words.join(", ")}`;
    }),
  ];
}
