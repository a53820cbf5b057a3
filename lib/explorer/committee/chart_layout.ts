import { ticks } from "d3-array";
import { shortText } from "../../core/numbers.ts";
import type { Scale } from "./state.ts";

/** What the chart shows. */
export interface ChartContent {
  /** D(t), shape [T]. */
  readonly D: readonly number[];
  /** Rounds of the fit, 1-based and inclusive. */
  readonly from: number;
  readonly to: number;
  /** ln D ≈ intercept + lambda · t; without both no line is drawn. */
  readonly lambda?: number | undefined;
  readonly intercept?: number | undefined;
  /** D over the window by a law of growth. */
  readonly law?: readonly number[] | undefined;
}

export interface Tick {
  /** Pixels from the left, or from the top. */
  readonly at: number;
  readonly text: string;
}

/** Where everything of the chart stands, in pixels. */
export interface ChartLayout {
  readonly frame: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly window: { readonly x: number; readonly width: number };
  readonly points: readonly { readonly x: number; readonly y: number; readonly fitted: boolean }[];
  /** Paths; empty where there is nothing to draw. */
  readonly curve: string;
  readonly fit: string;
  readonly law: string;
}

type Point = readonly [x: number, y: number];

/**
 * @param width pixels.
 * @param scale `log` draws ln D, on which exponential growth is a straight line and D = 0 cannot stand.
 */
export function chartLayout(content: ChartContent, { width, scale }: { width: number; scale: Scale }): ChartLayout {
  const { D, from, to } = content;
  const frame = { left: 52, right: width - 12, top: 10, bottom: CHART_HEIGHT - 40 };
  const shown = shownCurves(content, scale);
  const domain = domainOf([...shown.measured, ...shown.fit, ...shown.law].map(([, y]) => y), scale);
  const x = linearScale([0.5, D.length + 0.5], [frame.left, frame.right]);
  const y = linearScale(domain, [frame.bottom, frame.top]);
  const placed = (points: readonly Point[]) => points.map(([t, value]): Point => [x(t), y(value)]);
  const xTicks = roundTicks(D.length, width).map((round) => ({ at: x(round), text: String(round) }));
  return {
    frame,
    xTicks,
    yTicks: ticks(...domain, 5).map((value) => ({ at: y(value), text: shortText(value) })),
    window: { x: x(from - 0.25), width: x(to + 0.25) - x(from - 0.25) },
    points: shown.measured.map(([t, value]) => ({ x: x(t), y: y(value), fitted: t >= from && t <= to })),
    curve: path(placed(shown.measured), (i) => shown.measured[i]![0] === shown.measured[i - 1]![0] + 1),
    fit: path(placed(shown.fit)),
    law: path(placed(shown.law)),
  };
}

export const CHART_HEIGHT = 300;

/** Round and value of all that is drawn, the values as the axis has them. */
function shownCurves({ D, from, to, lambda, intercept, law = [] }: ChartContent, scale: Scale) {
  const value = scale === "log" ? Math.log : (d: number) => d;
  const drawable = (points: readonly Point[]) => points.filter(([, y]) => Number.isFinite(y));
  // Four points a round, since the line of ln D is a curve of D.
  const quarters = lambda === undefined || intercept === undefined
    ? []
    : Array.from({ length: 4 * (to - from) + 1 }, (_, i) => from + i / 4);
  return {
    measured: drawable(D.map((d, i) => [i + 1, value(d)])),
    fit: drawable(quarters.map((t) => [t, value(Math.exp(intercept! + lambda! * t))])),
    law: drawable(law.map((d, i) => [from + i, value(d)])),
  };
}

/** From zero for D; for ln D a little more than the values, and at least half a unit, so that flat looks flat. */
function domainOf(values: readonly number[], scale: Scale): [number, number] {
  if (scale === "linear") return [0, 1.06 * Math.max(...values, 0) || 1];
  if (values.length === 0) return [-1, 0];
  const low = Math.min(...values), high = Math.max(...values);
  const spare = Math.max(0.06 * (high - low), (0.5 - (high - low)) / 2);
  return [low - spare, high + spare];
}

/** A straight map from one interval to another. */
export function linearScale(
  [a, b]: readonly [number, number],
  [p, q]: readonly [number, number],
): (value: number) => number {
  return (value) => p + ((value - a) / (b - a)) * (q - p);
}

/** Every round where there is room, otherwise every second or fifth or so. */
function roundTicks(rounds: number, width: number): number[] {
  const stride = [1, 2, 5, 10, 20, 50].find((step) => (width * step) / rounds > 26) ?? 100;
  const ticks = Array.from({ length: Math.floor(rounds / stride) }, (_, i) => (i + 1) * stride);
  return stride < 5 ? ticks : [1, ...ticks];
}

/** @param joined whether a point is joined to the one before it. */
function path(points: readonly Point[], joined: (i: number) => boolean = () => true): string {
  return points.map(([x, y], i) => `${i > 0 && joined(i) ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}
