import * as Plot from "@observablehq/plot";
import { fixedText, LAMBDA } from "../core/numbers.ts";
import type { Canvas } from "./canvas.ts";
import { INK, MUTED } from "./palette.ts";

/** Diagonal strokes over a box in pixels: the sign for a value that does not exist. A pattern would need an id. */
export function hatchMark({ x1, x2, y1, y2 }: { x1: number; x2: number; y1: number; y2: number }): Plot.Markish {
  const [width, height] = [x2 - x1, y2 - y1];
  const strokes = [];
  for (let start = 12; start < width + height; start += 12) {
    // From the left or lower edge to the top or right one.
    const [lowX, lowY] = start <= height ? [0, start] : [start - height, height];
    const [highX, highY] = start <= width ? [start, 0] : [width, start - width];
    strokes.push({ x1: x1 + lowX, y1: y1 + lowY, x2: x1 + highX, y2: y1 + highY });
  }
  const ends = { x1: "x1", x2: "x2", y1: "y1", y2: "y2" };
  return Plot.link(strokes, { ...ends, stroke: MUTED, strokeWidth: 1, strokeOpacity: 0.25 });
}

/** Colours for slopes: deeper blue is larger; where any is negative, red is below zero and white is zero. */
export function lambdaColours(values: readonly number[]): (value: number) => string {
  const [low, high] = extent(values);
  const scheme = low < 0 ? "rdbu" : "blues";
  const scale = Plot.scale({ color: { type: "linear", domain: low < 0 ? [-high, high] : [low, high], scheme } });
  return (value) => scale.apply(value);
}

/** From zero (or symmetric about it) to the largest size, so that colours of equal slopes stay comparable. */
function extent(values: readonly number[]): [number, number] {
  const size = Math.max(...values.map(Math.abs), 0) || 1;
  return [values.some((value) => value < 0) ? -size : 0, size];
}

/** Draws the strip that explains the colours; returns its height, 0 where there is nothing to explain. */
export function drawRamp(canvas: Canvas, values: readonly number[], x: number, y: number): number {
  if (values.length === 0) return 0;
  const [low, high] = extent(values);
  const colours = lambdaColours(values);
  const width = (high - low) / STEPS;
  const steps = Array.from({ length: STEPS }, (_, i) => ({ x1: low + i * width, x2: low + (i + 1) * width }));
  canvas.plot(
    {
      ...{ width: 300, height: 56, marginLeft: 30, marginRight: 30, marginTop: 4, marginBottom: 36 },
      x: {
        ...{
          domain: [low, high],
          ticks: [low, (low + high) / 2, high],
          tickFormat: (tick: number) => fixedText(tick, 3),
        },
        ...{ label: `${LAMBDA}, nats per round`, labelAnchor: "center", labelArrow: "none" },
      },
      y: { axis: null },
      color: { type: "identity" },
      marks: [
        Plot.rectX(steps, { x1: "x1", x2: "x2", fill: ({ x1, x2 }) => colours((x1 + x2) / 2), insetLeft: -0.5 }),
        Plot.frame({ stroke: INK, strokeWidth: 0.5 }),
      ],
    },
    x - 30,
    y,
  );
  return 60;
}

const STEPS = 40;

const SCALE = Plot.scale({ color: { type: "linear", domain: [-0.12, 1], scheme: "blues" } });

/** The colour of a share in [0, 1]: deeper blue is larger. */
export const shareColour = (share: number): string => SCALE.apply(share);
