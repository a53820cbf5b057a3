import type { Figure } from "@/plots/figure.ts";
import { intervalPlot, predictionsPlot } from "@/plots/mod.ts";
import { EMPTY_STATION, STATION_SAMPLES } from "./station_samples.ts";

/** What a sample is drawn with: words put into every label, and whether it says that it is synthetic. */
export interface Look {
  /** Added to every label. */
  readonly extra?: string;
  readonly synthetic?: boolean;
}

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

/** A typical figure of every kind. */
export const SAMPLES: Readonly<Record<string, (look?: Look) => Figure>> = {
  ...STATION_SAMPLES,
  intervals: ({ extra = "", synthetic = true } = {}) =>
    intervalPlot({ rows: intervals(extra), quantity: `Δλ${extra}`, synthetic }),
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
  intervals: intervalPlot({ rows: [], quantity: "q", synthetic: true }),
  predictions: predictionsPlot({ predictions: [], synthetic: true }),
};
