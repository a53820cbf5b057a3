import type { Figure } from "@/plots/figure.ts";
import { replicatesPlot } from "@/plots/mod.ts";
import type { Look } from "./samples.ts";

const sizes = [5, 10, 20, 40, 80, 160];

/** Typical figures of what a number of replicates comes to. */
export const PLANNING_SAMPLES: Readonly<Record<string, (look?: Look) => Figure>> = {
  power: ({ extra = "", synthetic = true } = {}) =>
    replicatesPlot({
      series: [0.01, 0.03, 0.05].map((effect) => ({
        label: `Δλ = ${effect}${extra}`,
        points: sizes.map((replicates) => ({ replicates, value: Math.min(1, effect * Math.sqrt(replicates) * 3) })),
      })),
      ...{ quantity: `power${extra}`, highest: 1, target: { value: 0.8, label: `power 0.8${extra}` }, synthetic },
    }),
  widths: ({ extra = "", synthetic = true } = {}) =>
    replicatesPlot({
      series: ["percentile", "studentised"].map((label, i) => ({
        label: label + extra,
        points: sizes.map((replicates, j) =>
          i === 1 && j === 0 ? { replicates } : {
            ...{ replicates, value: 0.2 / Math.sqrt(replicates) },
            ...{ low: 0.15 / Math.sqrt(replicates), high: 0.25 / Math.sqrt(replicates) },
          }
        ),
      })),
      ...{ quantity: "width, nats per round", digits: 4, span: `the middle 80 % of ensembles${extra}`, synthetic },
    }),
};

/** Without any data. */
export const EMPTY_PLANNING: Readonly<Record<string, Figure>> = {
  replicates: replicatesPlot({ series: [], quantity: "power", synthetic: true }),
  replicatesUndefined: replicatesPlot({
    series: [{ label: "nothing known", points: [{ replicates: 5 }] }],
    ...{ quantity: "power", synthetic: true },
  }),
};
