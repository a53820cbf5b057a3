import type { Figure } from "@/plots/figure.ts";
import { ratePlot } from "@/plots/mod.ts";
import type { Look } from "./samples.ts";

/** A typical figure of how far estimators are to be trusted. */
export const GROWTH_SAMPLES: Readonly<Record<string, (look?: Look) => Figure>> = {
  rates: ({ extra = "", synthetic = true } = {}) =>
    ratePlot({
      rows: ["AR(1)", "walk"].map((label) => ({
        label: label + extra,
        note: `true 0.0509${extra}`,
        rates: [{ series: `percentile${extra}`, value: 0.92, error: 0.02 }, {
          series: `studentised${extra}`,
          value: 0.1,
          error: 0.02,
        }],
      })),
      quantity: "share of intervals that hold the truth",
      nominal: 0.95,
      domain: [0.7, 1],
      synthetic,
    }),
};

/** The same without any data. */
export const EMPTY_GROWTH: Readonly<Record<string, Figure>> = {
  rates: ratePlot({ rows: [], quantity: "share", nominal: 0.05, synthetic: true }),
};
