import type { Figure } from "@/plots/figure.ts";
import { lawsPlot, nullPanels, slopeStrip } from "@/plots/mod.ts";
import type { Look } from "./samples.ts";

const D = (start: number, lambda: number, rounds = 20) =>
  Array.from({ length: rounds }, (_, i) => start * Math.exp(lambda * (i + 1)));

const laws = (extra: string) => [
  { law: `exponential${extra}`, fitted: D(0.02, 0.05, 18), share: 0.6 },
  { law: `random-walk${extra}`, fitted: D(0.03, 0.02, 18), share: 0.4 },
];

const window = [3, 20] as const;

/** A typical figure of every kind that asks what law distances grow by, and how far estimators are to be trusted. */
export const GROWTH_SAMPLES: Readonly<Record<string, (look?: Look) => Figure>> = {
  laws: ({ extra = "", synthetic = true } = {}) =>
    lawsPlot({
      panels: [
        { title: `uniform${extra}`, D: D(0.02, 0.05), window, laws: laws(extra), best: `exponential${extra}` },
        { title: `mixed${extra}`, D: D(0.2, 0.01), window, laws: [], reason: "too-few-replicates" },
        {
          title: `small${extra}`,
          D: [0, ...D(0.002, 0.05, 19)],
          window,
          laws: laws(extra),
          best: `random-walk${extra}`,
        },
      ],
      synthetic,
    }),
  nullPanels: ({ extra = "", synthetic = true } = {}) =>
    nullPanels({
      panels: [
        { title: `rounds shuffled${extra}`, draws: D(-0.04, 0.05), p: 0.01 },
        { title: `steps exchanged${extra}`, draws: [], reason: "too-few-replicates" },
      ],
      lambda: 0.0838,
      synthetic,
    }),
  slopeStrip: ({ extra = "", synthetic = true } = {}) =>
    slopeStrip({
      groups: [
        {
          label: `roles${extra}`,
          slopes: [0.02, 0.0201, 0.0202, 0.11].map((lambda) => ({ label: `x${extra}`, lambda })),
        },
        { label: `no roles${extra}`, slopes: [{ label: `y${extra}`, lambda: -0.01 }] },
      ],
      references: [
        { label: `steady${extra}`, lambda: 0 },
        { label: `random walk${extra}`, lambda: 0.0509 },
        { label: `straight drift${extra}`, lambda: 0.1018 },
      ],
      synthetic,
    }),
};

/** The same without any data. */
export const EMPTY_GROWTH: Readonly<Record<string, Figure>> = {
  laws: lawsPlot({ panels: [], synthetic: true }),
  nullPanels: nullPanels({ panels: [], synthetic: true }),
  slopeStrip: slopeStrip({ groups: [], references: [], synthetic: true }),
};
