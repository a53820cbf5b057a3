import { createRng } from "@/core/rng.ts";
import type { Figure } from "@/plots/figure.ts";
import {
  coalitionPlot,
  distributionPlot,
  outcomeMatrix,
  proposalPlot,
  rumorPlot,
  stationTimeline,
} from "@/plots/mod.ts";
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

const normals = (seed: number, n: number): number[] => {
  const rng = createRng(seed);
  return Array.from({ length: n }, () => 0.712 + 0.04 * rng.normal());
};

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
  outcomes: ({ extra = "", synthetic = true } = {}) =>
    outcomeMatrix({
      cells: [
        { row: `hidden${extra}`, column: `off${extra}`, stabilized: 0, n: 6, published: { stabilized: 0, n: 6 } },
        { row: `hidden${extra}`, column: `on${extra}`, stabilized: 5, n: 6, meanQ: 0.78, fallback: 0.02 },
        { row: `shown${extra}`, column: `on${extra}`, stabilized: 6, n: 6, meanQ: 0.891, fallback: 0 },
      ],
      ...{ rowTitle: `schema${extra}`, columnTitle: `normaliser${extra}`, synthetic },
    }),
  distribution: ({ extra = "", synthetic = true } = {}) =>
    distributionPlot({
      groups: [40, 400].map((n) => ({
        ...{ label: `no model, ${n}${extra}`, note: `mean 0.712${extra}`, published: [0.774, 0.688, 0.691] },
        runs: [
          ...normals(n, n).map((value) => ({ value })),
          ...[0.9, 0.899, 0.7, 0.701].map((value, i) => ({ value, label: `${104 + i}${extra}`, highlight: true })),
          {},
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
  outcomes: outcomeMatrix({ cells: [], synthetic: true }),
  distribution: distributionPlot({ groups: [], synthetic: true }),
};
