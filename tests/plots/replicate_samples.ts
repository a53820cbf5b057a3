import type { Figure } from "@/plots/figure.ts";
import { ecdfPlot, temperaturePlot } from "@/plots/mod.ts";
import type { Look } from "./samples.ts";

const TEMPERATURES = [0, 1e-5, 1e-4, 0.01, 0.05, 0.1, 0.2, 0.7];

const sweep = (level: number) =>
  TEMPERATURES.map((temperature, i) => ({
    ...{ temperature, lambda: level + 0.002 * i, low: level - 0.02, high: level + 0.03 },
    ...{ published: level + 0.001, n: i === 2 ? 18 : 20, target: 20 },
  }));

/** Typical figures of temperatures and of times. */
export const REPLICATE_SAMPLES: Readonly<Record<string, (look?: Look) => Figure>> = {
  temperatures: ({ extra = "", synthetic = true } = {}) =>
    temperaturePlot({
      panels: [
        { title: `roles on${extra}`, points: sweep(0.08) },
        {
          title: `roles off${extra}`,
          points: [...sweep(0.01).slice(1), { temperature: 0, reason: "too-few-replicates", n: 1, target: 20 }],
        },
      ],
      synthetic,
    }),
  ecdf: ({ extra = "", synthetic = true } = {}) =>
    ecdfPlot({
      series: [
        { label: `roles on${extra}`, times: [1, 2, 2, 3, undefined] },
        { label: `roles off${extra}`, times: [1, 1, 1] },
        { label: `without runs${extra}`, times: [] },
      ],
      ...{ rounds: 20, event: `a majority first forms${extra}`, synthetic },
    }),
};

export const EMPTY_REPLICATES: Readonly<Record<string, Figure>> = {
  temperatures: temperaturePlot({ panels: [], synthetic: true }),
  ecdf: ecdfPlot({ series: [], rounds: 20, event: "a majority first forms", synthetic: true }),
};
