import type * as Plot from "@observablehq/plot";

/** The axis of rounds, 1-based: at most `most` ticks, the first of them round 1. */
export function roundAxis(rounds: number, { most = 20, label = "Round t" } = {}): Plot.ScaleOptions {
  return {
    ...{ domain: [0.5, rounds + 0.5], ticks: roundTicks(rounds, most), tickFormat: String },
    ...{ label, labelAnchor: "center", labelArrow: "none" },
  };
}

function roundTicks(rounds: number, most: number): number[] {
  const stride = [1, 2, 5, 10, 20, 50, 100].find((step) => rounds / step <= most) ?? Math.ceil(rounds / most);
  const ticks = Array.from({ length: Math.floor(rounds / stride) }, (_, i) => (i + 1) * stride);
  return stride === 1 || rounds < 1 ? ticks : [1, ...ticks];
}
