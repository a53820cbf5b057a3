import type { Figure } from "@/plots/figure.ts";
import { branchingPlot, ecdfPlot } from "@/plots/mod.ts";
import type { Look } from "./samples.ts";

const bases = [0, 1, 2, 3, 4].map((base) => ({
  ...{ base, n: base === 3 ? 28 : 30, target: 30, gamma: 0.04 + 0.01 * base },
  ...{ cosIn: 0.99 - 0.002 * base, cosOut: 0.97 },
}));

/** Typical figures of times and of continuations. */
export const REPLICATE_SAMPLES: Readonly<Record<string, (look?: Look) => Figure>> = {
  ecdf: ({ extra = "", synthetic = true } = {}) =>
    ecdfPlot({
      series: [
        { label: `roles on${extra}`, times: [1, 2, 2, 3, undefined] },
        { label: `roles off${extra}`, times: [1, 1, 1] },
        { label: `without runs${extra}`, times: [] },
      ],
      ...{ rounds: 20, event: `a majority first forms${extra}`, synthetic },
    }),
  branching: ({ extra = "", synthetic = true } = {}) =>
    branchingPlot({
      ...{ bases, gamma: { mean: 0.06, se: 0.007 }, published: { mean: 0.054, se: 0.008 }, synthetic },
      context: `IM-01${extra}`,
    }),
};

export const EMPTY_REPLICATES: Readonly<Record<string, Figure>> = {
  ecdf: ecdfPlot({ series: [], rounds: 20, event: "a majority first forms", synthetic: true }),
  branching: branchingPlot({ bases: [], gamma: {}, synthetic: true }),
};
