import type { Figure } from "@/plots/figure.ts";
import { ecdfPlot } from "@/plots/mod.ts";
import type { Look } from "./samples.ts";

/** Typical figures of times. */
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
};

export const EMPTY_REPLICATES: Readonly<Record<string, Figure>> = {
  ecdf: ecdfPlot({ series: [], rounds: 20, event: "a majority first forms", synthetic: true }),
};
