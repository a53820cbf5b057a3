import type { Figure } from "@/plots/figure.ts";
import { coalitionPlot, openStack, proposalPlot, qStack, rumorPlot, seedPlot, stationTimeline } from "@/plots/mod.ts";
import { SHOCKS } from "@/schema/seed_card.ts";
import { COUNCIL } from "@/schema/station_ids.ts";
import type { Look } from "./samples.ts";

/** Levels that fall and meet, so that their names crowd at the end. */
export const levels = Array.from({ length: 7 }, (_, round) => ({
  ...{ round, order: 0.85 - 0.05 * round, trust: 0.65 - 0.015 * round, info: 0.75 - 0.03 * round },
  ...{ authority: 0.6 - 0.005 * round, power: 100 - 4 * round, manipulation: 0.03 * round },
}));

const shocks = SHOCKS.flatMap((kind, i) => [
  { round: 1 + i % 6, id: `${i}a`, kind, severity: 0.2 + i / 5 },
  { round: 1 + (i * 2) % 6, id: `${i}b`, kind },
]);

/** Every pair of roles, some of which broke. */
export const everyTie = (roles: readonly string[]) =>
  roles.flatMap((a, i) =>
    roles.slice(i + 1).map((b, j) => ({ a, b, round: 1 + (i + j) % 6, ...((i + j) % 3 === 0 ? { broken: 6 } : {}) }))
  );

const gates = [1, 2, 3].map((round) => ({
  round,
  support: 1.5 + round,
  against: 2.25,
  executability: 0.7,
  passed: false,
}));

/** A typical figure of every kind that shows the station. */
export const STATION_SAMPLES: Readonly<Record<string, (look?: Look) => Figure>> = {
  stationTimeline: ({ extra = "", synthetic = true } = {}) =>
    stationTimeline({
      rounds: levels,
      shocks: shocks.map((shock) => ({ ...shock, id: shock.id + extra })),
      passes: [{ round: 3, proposal: `P1${extra}` }],
      executions: [{ round: 3, proposal: `P1${extra}` }],
      synthetic,
    }),
  rumors: ({ extra = "", synthetic = true } = {}) =>
    rumorPlot({
      rumors: [
        {
          ...{ id: `R0${extra}`, from: `X1_RUMOR${extra}`, text: `They say it was fixed.${extra}` },
          born: { round: 1, heat: 0.5 },
          heat: [{ round: 1, heat: 0.9 }, { round: 2, heat: 0.3 }, { round: 3, heat: 0 }],
          cooled: ["fact_check", "broadcast", "broadcast", "cool", "moderate"].map((act) => ({
            ...{ round: 2, act: act + extra, by: `C4_CIVIL${extra}` },
          })),
        },
        { id: `R1${extra}`, born: { round: 4, heat: 0.25 }, heat: [] },
      ],
      synthetic,
    }),
  coalition: ({ extra = "", synthetic = true } = {}) => {
    const roles = COUNCIL.map((role) => role + extra);
    return coalitionPlot({ roles, edges: everyTie(roles), synthetic });
  },
  proposals: ({ extra = "", synthetic = true } = {}) => {
    const life = { by: `C3_ENGINEER${extra}`, origin: "model", round: 1 } as const;
    return proposalPlot({
      proposals: [
        { ...life, id: `P1${extra}`, status: "blocked", gates },
        { ...life, id: `P2${extra}`, status: "invalid", flaw: `seats-over-headcount${extra}` },
        {
          ...{ ...life, id: `P3${extra}`, parent: `P1${extra}`, origin: "fallback", status: "executed", executed: 3 },
          gates: gates.map((gate) => ({ ...gate, passed: gate.round === 3 })),
        },
      ],
      synthetic,
    });
  },
  qStack: ({ extra = "", synthetic = true } = {}) =>
    qStack({
      runs: [
        {
          label: `seed 104${extra}`,
          parts: {
            ...{ executability: 0.19, public_order: 0.001, info_integrity: 0.1, trust: 0.09, time_to_pass: 0.08 },
            ...{ passed_depth: 0.067, containment: 0.05, coalition: 0.06, schema_independence: 0.04 },
          },
          ...{ q: 0.678, classification: "BENCHMARK_BRITTLE", published: 0.774 },
        },
        {
          label: `Gemini 104${extra}`,
          parts: { trust: 0.1 },
          classification: "FAILED_NO_VALID_PLAN",
          published: 0.659,
        },
      ],
      synthetic,
    }),
  openStack: ({ extra = "", synthetic = true } = {}) =>
    openStack({
      groups: ["MIMO", "GLM"].map((model) => ({
        label: `${model}${extra}`,
        runs: [104, 108].map((seed) => ({
          ...{ label: `${model} ${seed}${extra}`, q: 0.855, open: { earned: 0.575, weight: 0.62 } },
          parts: { public_order: 0.16, time_to_pass: 0.12, passed_depth: seed === 104 ? 0 : 0.001 },
        })),
      })),
      synthetic,
    }),
  seeds: ({ extra = "", synthetic = true } = {}) =>
    seedPlot({
      seeds: [104, 108].map((seed) => ({
        label: `seed ${seed}${extra}`,
        lanes: [
          {
            ...{ series: `published${extra}`, mean: 0.817 },
            runs: [{ value: 0.8 }, { value: 0.944 }, { value: 0.659, failed: true, label: `Gemini${extra}` }],
          },
          {
            series: `surrogates${extra}`,
            runs: [{ value: 0.9, failed: true, label: `split${extra}` }, { value: 0.7 }],
          },
        ],
      })),
      synthetic,
    }),
};

/** Every kind without any data. */
export const EMPTY_STATION: Readonly<Record<string, Figure>> = {
  stationTimeline: stationTimeline({ rounds: [], synthetic: true }),
  rumors: rumorPlot({ rumors: [], synthetic: true }),
  coalition: coalitionPlot({ edges: [], synthetic: true }),
  proposals: proposalPlot({ proposals: [], synthetic: true }),
  qStack: qStack({ runs: [], synthetic: true }),
  openStack: openStack({ groups: [], synthetic: true }),
  seeds: seedPlot({ seeds: [], synthetic: true }),
};
