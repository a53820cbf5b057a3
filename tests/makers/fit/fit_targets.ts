import { loadLineups } from "@/lab/live/scenarios.ts";
import {
  loadCrossModel,
  loadIm01,
  loadLandscape,
  loadPublishedScenarios,
  loadTwoRoutes,
  PUBLISHED_LINEUPS,
} from "@/lab/paper/published_deliberation.ts";
import type { CommitteeSpec } from "@/lab/paper/surrogate/simulate_condition.ts";
import { committeeSpec } from "./committees.ts";

/** One published λ̂ and the committee that should show it. */
export interface FitTarget {
  readonly name: string;
  readonly lambda: number;
  /** Runs behind the published value; absent where they are not published. */
  readonly n?: number | undefined;
  readonly spec: CommitteeSpec;
}

/**
 * The eleven published λ̂ at T = 0 behind the mechanism: HL-01's four cells, and IM-01 without roles, with roles and
 * with each role ablated. The fit uses more of the same committees (`stageOneTerms`): flip rates, times to majority, three
 * roles' switches, outcomes, the signs of HL-01's ablations and Γ̂. Other temperatures' slopes and shorter windows are not
 * used (`SPLIT`): they stay free to disagree.
 */
export async function fitTargets(): Promise<FitTarget[]> {
  const [routes, im01, { lineups }] = await Promise.all([loadTwoRoutes(), loadIm01(), loadLineups()]);
  const hl01 = routes.map(({ scenario, lineup, roles, lambda }) => ({
    name: `HL-01 ${lineup}, roles ${roles ? "on" : "off"}`,
    lambda: lambda!,
    spec: committeeSpec(scenario, 3, lineups[lineup]!.models, { roles }),
  }));
  const cells = im01.filter(({ experiment, temperature, ablated }) =>
    temperature === 0 && (experiment === "temperature" || (experiment === "ablation" && ablated !== "none"))
  );
  return [
    ...hl01,
    ...cells.map(({ roles, ablated, lambda }) => ({
      name: ablated === "none" ? `IM-01 roles ${roles ? "on" : "off"}` : `IM-01 without ${ablated}'s mandate`,
      lambda: lambda!,
      spec: committeeSpec("IM-01", 3, lineups.uniform!.models, {
        roles,
        ablated: ablated === "none" ? undefined : ablated,
      }),
    })),
  ];
}

/**
 * The two cells at `temperature` of every scenario of Table S8, by scenario. At T = 0 those of IM-01 and HL-01 are
 * among `fitTargets`, and the others are what their scenarios are fitted to; T = 0.1 is never fitted.
 */
export async function landscapeTargets(temperature = 0): Promise<Map<string, FitTarget[]>> {
  const [cells, scenarios, { lineups }] = await Promise.all([loadLandscape(), loadPublishedScenarios(), loadLineups()]);
  const optionCount = (id: string) => scenarios.find((scenario) => scenario.id === id)!.options.length;
  return Map.groupBy(
    cells.filter((cell) => cell.temperature === temperature).map(({ scenario, roles, lambda }) => ({
      name: `${scenario}, roles ${roles ? "on" : "off"}`,
      lambda: lambda!,
      spec: committeeSpec(scenario, optionCount(scenario), lineups.uniform!.models, { roles, temperature }),
    })),
    ({ spec }) => spec.scenario,
  );
}

/** The two cells at `temperature` of every model of Table S6 in all five seats, IM-01, by model id; without the baseline. */
export async function modelTargets(temperature = 0): Promise<Map<string, FitTarget[]>> {
  const [models, { lineups }] = await Promise.all([loadCrossModel(), loadLineups()]);
  const cells = models.filter((cell) => cell.provider !== "Baseline" && cell.temperature === temperature);
  return Map.groupBy(
    cells.map(({ model, roles, lambda, n }) => ({
      name: `IM-01 ${model}, roles ${roles ? "on" : "off"}`,
      lambda: lambda!,
      n,
      spec: committeeSpec("IM-01", 3, lineups[PUBLISHED_LINEUPS[model]!]!.models, { roles, temperature }),
    })),
    ({ spec }) => spec.seats[0]!.model,
  );
}
