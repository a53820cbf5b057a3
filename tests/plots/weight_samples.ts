import type { Figure } from "@/plots/figure.ts";
import { boundsPlot } from "@/plots/mod.ts";
import type { Look } from "./samples.ts";

const councils = ["triage", "coalition", "auditor", "broadcaster", "split", "none", "chaser"];

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
};

/** Every kind without any data. */
export const EMPTY_WEIGHTS: Readonly<Record<string, Figure>> = {
  bounds: boundsPlot({ groups: [], synthetic: true }),
};
