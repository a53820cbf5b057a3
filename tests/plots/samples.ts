import { createRng } from "@/core/rng.ts";
import type { Figure } from "@/plots/figure.ts";
import {
  accountingPlot,
  agreementPlot,
  divergencePlot,
  intervalPlot,
  matrixPlot,
  nullHistogram,
  predictionsPlot,
  simplexPlot,
} from "@/plots/mod.ts";
import { EMPTY_GROWTH, GROWTH_SAMPLES } from "./growth_samples.ts";
import { EMPTY_PLANNING, PLANNING_SAMPLES } from "./planning_samples.ts";
import { EMPTY_REPLICATES, REPLICATE_SAMPLES } from "./replicate_samples.ts";
import { EMPTY_STATION, STATION_SAMPLES } from "./station_samples.ts";
import { EMPTY_WEIGHTS, WEIGHT_SAMPLES } from "./weight_samples.ts";

/** What a sample is drawn with: words put into every label, and whether it says that it is synthetic. */
export interface Look {
  /** Added to every label. */
  readonly extra?: string;
  readonly synthetic?: boolean;
}

const D = (start: number, lambda: number) => Array.from({ length: 20 }, (_, i) => start * Math.exp(lambda * (i + 1)));

/** One run over `rounds` rounds: seeded shares of `options` that drift. */
export function drift(seed: number, options: number, rounds = 20): number[][] {
  const rng = createRng(seed);
  const logits = Array.from({ length: options }, () => 0);
  return Array.from({ length: rounds }, () => {
    logits.forEach((_, k) => logits[k]! += 0.3 * rng.normal());
    const weights = logits.map(Math.exp);
    const total = weights.reduce((sum, weight) => sum + weight);
    return weights.map((weight) => weight / total);
  });
}

const series = (extra: string) =>
  [
    { label: `uniform, no roles${extra}`, D: D(0.05, 0.0221), n: 20, lambda: 0.0221 },
    { label: `uniform, roles${extra}`, D: D(0.06, 0.0541), n: 19, lambda: 0.0541 },
    { label: `mixed, no roles${extra}`, D: D(0.04, 0.0947), n: 20, reason: "too-few-replicates" },
  ].map((one) => ({ ...one, window: [3, 20] as const, band: { low: D(0.03, 0.02), high: D(0.07, 0.02) } }));

const cells = (extra: string) => [
  { row: `uniform${extra}`, column: `no roles${extra}`, lambda: 0.0221, low: 0.011, high: 0.033, n: 20, target: 20 },
  { row: `uniform${extra}`, column: `roles${extra}`, lambda: 0.0541, n: 19, target: 20, published: 0.0541 },
  { row: `mixed${extra}`, column: `no roles${extra}`, lambda: -0.01, low: -0.02, high: 0.01, n: 20, published: 0.0947 },
  { row: `mixed${extra}`, column: `roles${extra}`, reason: "missing-rounds", n: 1, target: 20 },
];

const intervals = (extra: string) => [
  { label: `ablate Chair${extra}`, value: 0.031, low: 0.01, high: 0.052, published: 0.0237, verdict: `agrees${extra}` },
  {
    label: `ablate Rights${extra}`,
    value: -0.004,
    low: -0.02,
    high: 0.013,
    studentisedLow: -0.03,
    studentisedHigh: 0.02,
  },
  { label: `ablate Equity${extra}`, reason: "too-few-replicates", published: -0.01 },
];

const points = (extra: string) =>
  [
    { label: `HL-01${extra}`, published: 0.0541, measured: 0.06, low: 0.03, high: 0.09, named: true },
    { label: `IM-01${extra}`, published: 0.055, measured: 0.061, low: 0.04, high: 0.08, named: true },
    { label: `AI-01${extra}`, published: 0.0032, measured: -0.01, low: -0.02, high: 0.0, named: true },
    { label: `CL-01${extra}`, published: 0.04, measured: 0.03 },
    { label: `SP-01${extra}`, measured: 0.02 },
    { label: `SP-03${extra}`, published: 0.02 },
  ].map((point, i) => ({ ...point, group: `${i % 2 === 0 ? "roles on" : "roles off"}${extra}` }));

const names = (extra: string) => [`expand${extra}`, `pilot${extra}`, `wait${extra}`] as const;
const runs = [1, 2, 3, 4].map((seed) => drift(seed, 3));

/** A typical figure of every kind. */
export const SAMPLES: Readonly<Record<string, (look?: Look) => Figure>> = {
  ...STATION_SAMPLES,
  ...WEIGHT_SAMPLES,
  ...GROWTH_SAMPLES,
  ...PLANNING_SAMPLES,
  ...REPLICATE_SAMPLES,
  divergenceLog: ({ extra = "", synthetic = true } = {}) => divergencePlot({ series: series(extra), synthetic }),
  divergenceLinear: ({ extra = "", synthetic = true } = {}) =>
    divergencePlot({ series: series(extra), scale: "linear", synthetic }),
  matrix: ({ extra = "", synthetic = true } = {}) =>
    matrixPlot({ cells: cells(extra), rowTitle: `line-up${extra}`, columnTitle: `mandates${extra}`, synthetic }),
  nullHistogram: ({ extra = "", synthetic = true } = {}) =>
    nullHistogram({
      ...{ draws: drift(9, 1000, 1)[0]!, lambda: 0.0838, p: 0.0005, studentisedP: 0.01, synthetic },
      context: `IM-01${extra}`,
    }),
  intervals: ({ extra = "", synthetic = true } = {}) =>
    intervalPlot({ rows: intervals(extra), quantity: `Δλ${extra}`, synthetic }),
  agreement: ({ extra = "", synthetic = true } = {}) =>
    agreementPlot({ points: points(extra), quantity: `λ${extra}`, synthetic }),
  accounting: ({ extra = "", synthetic = true } = {}) =>
    accountingPlot({
      conditions: [
        { label: `uniform${extra}`, target: 20, realised: 19, deficits: { [`timeout${extra}`]: 1 } },
        {
          label: `mixed${extra}`,
          target: 20,
          realised: 12,
          deficits: { [`timeout${extra}`]: 3, [`quota${extra}`]: 2 },
        },
      ],
      synthetic,
    }),
  simplex: ({ extra = "", synthetic = true } = {}) =>
    simplexPlot({ runs, options: names(extra), groups: ["A", "B", "A", "C"].map((g) => g + extra), synthetic }),
  predictions: ({ extra = "", synthetic = true } = {}) =>
    predictionsPlot({
      predictions: [
        { statement: `roles above no roles${extra}`, promised: true, expected: 1, held: Array(60).fill(true) },
        {
          statement: `no-Chair is the largest${extra}`,
          promised: false,
          expected: `half${extra}`,
          held: [true, false, undefined],
        },
      ],
      synthetic,
    }),
};

/** Every kind without any data. */
export const EMPTY: Readonly<Record<string, Figure>> = {
  ...EMPTY_STATION,
  ...EMPTY_WEIGHTS,
  ...EMPTY_GROWTH,
  ...EMPTY_PLANNING,
  ...EMPTY_REPLICATES,
  divergence: divergencePlot({ series: [], synthetic: true }),
  divergenceZero: divergencePlot({
    series: [{ label: "frozen", D: [0, 0, 0], n: 2, window: [1, 3] }],
    synthetic: true,
  }),
  matrix: matrixPlot({ cells: [], synthetic: true }),
  nullHistogram: nullHistogram({ draws: [], synthetic: true }),
  intervals: intervalPlot({ rows: [], quantity: "q", synthetic: true }),
  agreement: agreementPlot({ points: [], quantity: "λ", synthetic: true }),
  accounting: accountingPlot({ conditions: [], synthetic: true }),
  simplex: simplexPlot({ runs: [], options: ["A", "B", "C"], synthetic: true }),
  predictions: predictionsPlot({ predictions: [], synthetic: true }),
};
