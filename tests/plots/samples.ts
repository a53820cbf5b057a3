import { createRng } from "@/core/rng.ts";
import type { Figure } from "@/plots/figure.ts";
import {
  accountingPlot,
  agentsPlot,
  countsPlot,
  divergencePlot,
  intervalPlot,
  predictionsPlot,
  trajectoriesPlot,
} from "@/plots/mod.ts";
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

const countGroups = (extra: string) => [
  {
    label: `Chair${extra}`,
    counts: [0, 2, 2, 2, 3, 3, 14],
    measured: { mean: 3.71, sem: 1.74 },
    published: { mean: 2.76, sem: 0.12 },
    verdict: `cannot be told apart${extra}`,
  },
  { label: `Rights${extra}`, counts: new Array(40).fill(0), measured: { mean: 0, sem: 0 }, published: { mean: 0.09 } },
  { label: `Clerk${extra}`, counts: [] },
];

const names = (extra: string) => [`expand${extra}`, `pilot${extra}`, `wait${extra}`] as const;
const agents = ["Chair", "Welfare", "Rights", "Equity", "Security"];
const runs = [1, 2, 3, 4].map((seed) => drift(seed, 3));
const council = Array.from({ length: 20 }, (_, t) => agents.map((_, a) => a + t === 7 ? undefined : drift(a, 3)[t]!));

/** A typical figure of every kind. */
export const SAMPLES: Readonly<Record<string, (look?: Look) => Figure>> = {
  ...STATION_SAMPLES,
  ...WEIGHT_SAMPLES,
  ...REPLICATE_SAMPLES,
  divergenceLog: ({ extra = "", synthetic = true } = {}) => divergencePlot({ series: series(extra), synthetic }),
  divergenceLinear: ({ extra = "", synthetic = true } = {}) =>
    divergencePlot({ series: series(extra), scale: "linear", synthetic }),
  intervals: ({ extra = "", synthetic = true } = {}) =>
    intervalPlot({ rows: intervals(extra), quantity: `Δλ${extra}`, synthetic }),
  counts: ({ extra = "", synthetic = true } = {}) =>
    countsPlot({ groups: countGroups(extra), quantity: `switches a run${extra}`, synthetic }),
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
  trajectories: ({ extra = "", synthetic = true } = {}) =>
    trajectoriesPlot({ runs, options: names(extra), groups: ["A", "B", "A", "C"].map((g) => g + extra), synthetic }),
  agents: ({ extra = "", synthetic = true } = {}) =>
    agentsPlot({
      preferences: council,
      agents: agents.map((agent) => agent + extra),
      options: names(extra),
      synthetic,
    }),
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
  ...EMPTY_REPLICATES,
  divergence: divergencePlot({ series: [], synthetic: true }),
  divergenceZero: divergencePlot({
    series: [{ label: "frozen", D: [0, 0, 0], n: 2, window: [1, 3] }],
    synthetic: true,
  }),
  intervals: intervalPlot({ rows: [], quantity: "q", synthetic: true }),
  counts: countsPlot({ groups: [], quantity: "switches", synthetic: true }),
  accounting: accountingPlot({ conditions: [], synthetic: true }),
  trajectories: trajectoriesPlot({ runs: [], options: ["A", "B"], synthetic: true }),
  agents: agentsPlot({ preferences: [], agents: [], options: ["A", "B"], synthetic: true }),
  predictions: predictionsPlot({ predictions: [], synthetic: true }),
};
