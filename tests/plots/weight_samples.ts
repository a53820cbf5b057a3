import type { Figure } from "@/plots/figure.ts";
import { boundsPlot, rankStrip, shareMatrix, sweepPanels, thresholdPlot } from "@/plots/mod.ts";
import type { Look } from "./samples.ts";

const councils = ["triage", "coalition", "auditor", "broadcaster", "split", "none", "chaser"];

/** Class counts of 36 runs, the rest undecided. */
export const counts = (strong: number, adequate: number, brittle: number) => ({
  ...{ BENCHMARK_STRONG: strong, BENCHMARK_ADEQUATE: adequate, BENCHMARK_BRITTLE: brittle },
  ...{ FAILED_AFTER_VALID_PLAN: 0, FAILED_NO_VALID_PLAN: 1, undecided: 35 - strong - adequate - brittle },
});

const steps = Array.from({ length: 24 }, (_, i) => ({
  threshold: 0.7 + i / 100,
  counts: counts(30 - i, i, i % 3),
}));

/** A typical figure of every kind that shows what weights do. */
export const WEIGHT_SAMPLES: Readonly<Record<string, (look?: Look) => Figure>> = {
  bounds: ({ extra = "", synthetic = false } = {}) =>
    boundsPlot({
      groups: councils.map((label, i) => ({
        label: label + extra,
        rows: [104, 108].map((seed) => ({
          ...{ label: `${label} ${seed}${extra}`, low: 0.6 + i / 30, high: 0.62 + i / 20 },
          ...(seed === 104 && { published: 0.61 + i / 20, note: `failed no valid plan${extra}` }),
        })),
      })),
      synthetic,
    }),
  shareMatrix: ({ extra = "", synthetic = false } = {}) =>
    shareMatrix({
      cells: councils.flatMap((row, i) =>
        councils.flatMap((column, j) =>
          i === j ? [] : [{
            ...{ row: row + extra, column: column + extra, published: i < j },
            ...{ above: i < j ? 0.999 - j / 20 : 0.002 * j, undecided: 0.001 + j / 50 },
          }]
        )
      ),
      synthetic,
    }),
  rankStrip: ({ extra = "", synthetic = false } = {}) =>
    rankStrip({
      rows: councils.map((label, i) => ({
        ...{ label: label + extra, published: i + 1, note: `certain 12 %${extra}` },
        shares: councils.map((_, j) => (i === j ? 0.9 : j < i ? 0 : 0.004)),
      })),
      synthetic,
    }),
  sweep: ({ extra = "", synthetic = false } = {}) =>
    sweepPanels({
      panels: ["executability", "public order", "trust", "coalition"].map((title, k) => ({
        ...{ title: title + extra, published: 0.1 },
        series: councils.map((label, i) => ({
          label: label + extra,
          points: [0, 0.1, 0.3, 0.5].map((x) => ({ x, low: 1 + (i + k) % 7, high: 1 + (i + k) % 7 })),
        })),
      })),
      ...{ x: `share of the weight${extra}`, y: `rank${extra}`, reverse: true, digits: 0, synthetic },
    }),
  sweepBands: ({ extra = "", synthetic = false } = {}) =>
    sweepPanels({
      panels: [{
        title: `trust${extra}`,
        series: [
          { label: `MIMO${extra}`, points: [0, 0.1, 0.5].map((x) => ({ x, low: 0.9 - x, high: 0.9 })) },
          { label: `GLM${extra}`, points: [0, 0.1, 0.5].map((x) => ({ x, low: 0.8, high: 0.8 })) },
        ],
      }],
      ...{ x: "share", y: `mean q${extra}`, synthetic },
    }),
  thresholds: ({ extra = "", synthetic = false } = {}) =>
    thresholdPlot({
      panels: [
        { title: `strong from${extra}`, published: 0.82, steps },
        { title: `adequate from${extra}`, steps: steps.slice(0, 5) },
      ],
      synthetic,
    }),
};

/** Every kind without any data. */
export const EMPTY_WEIGHTS: Readonly<Record<string, Figure>> = {
  bounds: boundsPlot({ groups: [], synthetic: true }),
  shareMatrix: shareMatrix({ cells: [], synthetic: true }),
  rankStrip: rankStrip({ rows: [], synthetic: true }),
  sweep: sweepPanels({ panels: [], x: "share of the weight", y: "rank", synthetic: true }),
  thresholds: thresholdPlot({ panels: [], synthetic: true }),
};
