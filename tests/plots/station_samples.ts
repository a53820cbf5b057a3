import type { Figure } from "@/plots/figure.ts";
import { coalitionPlot, stationTimeline } from "@/plots/mod.ts";
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
  coalition: ({ extra = "", synthetic = true } = {}) => {
    const roles = COUNCIL.map((role) => role + extra);
    return coalitionPlot({ roles, edges: everyTie(roles), synthetic });
  },
};

/** Every kind without any data. */
export const EMPTY_STATION: Readonly<Record<string, Figure>> = {
  stationTimeline: stationTimeline({ rounds: [], synthetic: true }),
  coalition: coalitionPlot({ edges: [], synthetic: true }),
};
