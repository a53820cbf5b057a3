import { checkOptions } from "../core/options.ts";
import type { Rng } from "../core/rng.ts";
import { conditionName } from "../deliberation/condition_name.ts";
import type { Condition, ConditionKnobs } from "../schema/condition.ts";
import { conditionKnobs } from "../schema/condition_knobs.ts";
import { OPTION_LETTERS } from "../schema/scenario.ts";
import { divergence } from "../stats/divergence.ts";
import { divergenceBand } from "../stats/divergence_band.ts";
import type { Trajectory } from "../stats/trajectory.ts";
import { checkConditions } from "./label_conditions.ts";

/** A condition with its runs, such as `runShown` gives them; anything more is ignored. */
export interface LabelledRuns<Run> {
  readonly label: string;
  readonly condition: Condition;
  readonly runs: readonly Run[];
  /** Whether no language model took part. */
  readonly synthetic?: boolean;
}

/**
 * What every row says of its condition. A key is absent where the condition has nothing of the kind. (Rows are types, not
 * interfaces, so that they can be passed where plain records are wanted.)
 */
export type ConditionColumns = {
  /** The condition's label. */
  readonly condition: string;
  readonly scenario: string;
  /** Name of the rewording. */
  readonly variant?: string;
  readonly lineup: string;
  readonly roles: boolean;
  readonly temperature: number;
  readonly window: number;
  /** Mandates taken away, such as `Chair+Equity`. */
  readonly ablate?: string;
  /** How many. */
  readonly agents: number;
  /** Who sits, where it is not the usual: `Chair+Welfare+Welfare`. */
  readonly seats?: string;
  readonly rounds: number;
  /** Whether near misses of the formats were read. */
  readonly normaliser?: boolean;
  /** Whether no language model took part; a figure's caption follows from it. */
  readonly synthetic?: boolean;
};

/** What every row says of a condition. */
export function conditionColumns({ label, condition, synthetic }: LabelledRuns<unknown>): ConditionColumns {
  return knobColumns(label, conditionKnobs(condition), synthetic);
}

/** What every row says of a condition of which only the knobs are known. */
export function knobColumns(
  label: string,
  { agents, structured: _, ...knobs }: ConditionKnobs,
  synthetic?: boolean,
): ConditionColumns {
  return {
    condition: label,
    ...knobs as Omit<ConditionColumns, "condition" | "agents">,
    ...(typeof agents === "string" ? { agents: agents.split("+").length, seats: agents } : { agents }),
    ...(synthetic !== undefined && { synthetic }),
  };
}

/** The committee's mean preference for one option after one round of one run. */
export type MeanRow = ConditionColumns & {
  readonly replicate: number;
  /** 1-based. */
  readonly round: number;
  /** Its letter. */
  readonly option: string;
  /** Share in [0, 1]. */
  readonly p: number;
};

/**
 * Committee means as a long table, one row an option of a round of a replicate.
 *
 * @example Every run of every condition, in one plot
 * ```ts ignore
 * Plot.lineY(meanRows(conditions), { x: "round", y: "p", z: "replicate", stroke: "option", fy: "condition" });
 * ```
 */
export function meanRows(
  conditions: readonly LabelledRuns<{ readonly replicate: number; readonly means: Trajectory }>[],
): MeanRow[] {
  checkConditions(conditions);
  return conditions.flatMap((one) => {
    const columns = conditionColumns(one);
    return one.runs.flatMap(({ replicate, means }) =>
      meansByRound(means).map((mean): MeanRow => ({ ...columns, replicate, ...mean }))
    );
  });
}

/** The means of one run, one record an option of a round. */
export function meansByRound(means: Trajectory): { round: number; option: string; p: number }[] {
  return means.flatMap((shares, t) => shares.map((p, k) => ({ round: t + 1, option: OPTION_LETTERS[k]!, p })));
}

/** One agent's preference for one option after one round of one run. */
export type AgentRow = MeanRow & {
  /** The seat's label: a role, `Welfare-2` for a role's second seat, or `Agent 1` where roles are off. */
  readonly agent: string;
};

/** Agents' preferences as a long table, one row an option of an agent in a round of a replicate, agents in seat order. */
export function agentRows(
  conditions: readonly LabelledRuns<
    { readonly replicate: number; readonly preferences: readonly (readonly (readonly number[])[])[] }
  >[],
): AgentRow[] {
  checkConditions(conditions);
  return conditions.flatMap((one) => {
    const columns = conditionColumns(one);
    const seats = one.condition.seats.map(({ label }) => label);
    return one.runs.flatMap(({ replicate, preferences }) =>
      agentsByRound(preferences, seats).map((agent): AgentRow => ({ ...columns, replicate, ...agent }))
    );
  });
}

/** The preferences of one run, [T][N][K], one record an option of an agent in a round. */
export function agentsByRound(
  preferences: readonly Trajectory[],
  seats: readonly string[],
): { round: number; agent: string; option: string; p: number }[] {
  return preferences.flatMap((agents, t) =>
    agents.flatMap((shares, seat) =>
      shares.map((p, k) => ({ round: t + 1, agent: seats[seat]!, option: OPTION_LETTERS[k]!, p }))
    )
  );
}

/** Mean distance between the replicates of a condition after one round. */
export type DivergenceRow = ConditionColumns & {
  /** 1-based. */
  readonly round: number;
  readonly D: number;
  /** Ends of the pointwise bootstrap band; absent without `rng`, and with fewer than three runs. */
  readonly low?: number;
  readonly high?: number;
};

export interface DivergenceRowsOptions {
  /** Where the band's chance comes from; without it there is no band. Forked by condition, not advanced. */
  readonly rng?: Rng | undefined;
  /** Nominal coverage of the band in each round by itself, by default 0.95. */
  readonly band?: number | undefined;
  /** Of the band, by default 500. */
  readonly resamples?: number | undefined;
}

/**
 * D(t) as a long table, one row a round of a condition. Where a condition has fewer than two runs there is no distance,
 * and no row.
 *
 * @param options `rng` and `band`: whole replicates are resampled, see `divergenceBand`.
 * @throws {RangeError} on ragged runs and values that are not finite, and on a `band` that is not between 0 and 1.
 *
 * @example
 * ```ts ignore
 * const distances = divergenceRows(conditions, { rng: createRng(seed), band: 0.95 });
 * Plot.areaY(distances, { x: "round", y1: "low", y2: "high", fill: "condition", fillOpacity: 0.15 });
 * ```
 */
export function divergenceRows(
  conditions: readonly LabelledRuns<{ readonly means: Trajectory }>[],
  options: DivergenceRowsOptions = {},
): DivergenceRow[] {
  checkConditions(conditions);
  const { rng, band = 0.95, resamples } = checkOptions("divergenceRows", options, "rng band resamples");
  return conditions.filter(({ runs }) => runs.length >= 2).flatMap((one) => {
    const columns = conditionColumns(one);
    const means = one.runs.map((run) => run.means);
    // Forked by what the condition is, so that its band does not depend on which others are drawn beside it.
    const { low, high } = rng
      ? divergenceBand(means, { rng: rng.fork(conditionName(one.condition)), level: band, resamples })
      : { low: undefined, high: undefined };
    return divergence(means).map((D, t): DivergenceRow => ({
      ...{ ...columns, round: t + 1, D },
      ...(low && high && { low: low[t]!, high: high[t]! }),
    }));
  });
}
