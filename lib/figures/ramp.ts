import * as Plot from "@observablehq/plot";
import type { Canvas } from "./canvas.ts";
import { fixedText, LAMBDA } from "./number_text.ts";
import { INK } from "./palette.ts";

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
