import { createRng } from "../core/rng.ts";
import { type RunAccounting, runsByOutcome } from "../record/accounting.ts";
import type { Measurement, MeasureOptions } from "../runs/measure_runs.ts";
import { agentsByRound, type ConditionColumns, meansByRound } from "../runs/rows.ts";
import { divergenceBand } from "../stats/divergence.ts";
import type { AgentStates } from "../stats/independent_divergence.ts";
import type { Trajectory } from "../stats/trajectory.ts";

/** Runs given to `measure`, from a ledger or from another program. */
export interface MeasuredRuns {
  readonly name: string;
  /** The file they were read from; absent for standard input. */
  readonly file?: string;
  /** Absent if the condition is unknown. */
  readonly condition?: Partial<ConditionColumns>;
  readonly runs: readonly {
    readonly replicate: number;
    /** The run's own name, where the records give it one. */
    readonly id?: string | undefined;
    readonly means: Trajectory;
    /** [T][N][K]; undefined where an agent has not spoken yet. */
    readonly preferences?: AgentStates;
    readonly decision?: string | undefined;
  }[];
  /** The agents' labels in seat order. */
  readonly seats?: readonly string[];
  /** Shares of what was said in each round alone, [R][T][K], where it differs from the means. */
  readonly said?: readonly Trajectory[];
  /** The options; by default their letters. */
  readonly names?: readonly string[];
  readonly accounting?: RunAccounting;
}

/** The tables of all measured files. `condition` is the file's name, or its path if two files share a name. */
export function measureTables(
  measured: readonly (readonly [MeasuredRuns, Measurement])[],
  { seed = 1, from, to, resamples }: MeasureOptions,
) {
  const names = measured.map(([{ name }]) => name);
  const all = measured.map(([source, measurement]) => {
    const { name, file } = source;
    const twice = names.filter((other) => other === name).length > 1;
    return { ...source, measurement, columns: { ...source.condition, condition: twice ? file ?? name : name } };
  });
  return {
    slopes: all.map(({ columns, file, measurement }) => {
      const {
        percentile,
        shuffled,
        used,
        D: _,
        dropped: _dropped,
        nullDraws: _draws,
        leaveOneOut: _left,
        convergenceSaid: _said,
        convergence: { beta, low: betaLow, high: betaHigh, p: betaP },
        groups,
        stillFrom,
        ...estimates
      } = measurement;
      return {
        ...{ ...columns, ...estimates, file, from, to: to ?? used.at(-1), used: used.length },
        percentile_low: percentile.low,
        percentile_high: percentile.high,
        shuffled_p: shuffled.p,
        ...{ beta, beta_low: betaLow, beta_high: betaHigh, beta_p: betaP },
        group_ratio: groups?.ratio,
        group_p: groups?.p,
        still_from: stillFrom,
      };
    }),
    means: all.flatMap(({ columns, runs, names }) =>
      runs.flatMap(({ replicate, means }) =>
        meansByRound(means, names).map((mean) => ({ ...columns, replicate, ...mean }))
      )
    ),
    agents: all.flatMap(({ columns, runs, seats = [], names }) =>
      runs.flatMap(({ replicate, preferences = [] }) =>
        agentsByRound(preferences, seats, names).map((agent) => ({ ...columns, replicate, ...agent }))
      )
    ),
    divergence: all.flatMap(({ name, columns, runs }) => {
      // A ledger's name is its condition's, by which `divergenceRows` forks too.
      const rng = createRng(seed).fork(name);
      const { mean = [], low, high } = divergenceBand(runs.map(({ means }) => means), { rng, resamples });
      return mean.map((D, t) => ({ ...columns, round: t + 1, D, low: low?.[t], high: high?.[t] }));
    }),
    accounting: all.flatMap(({ columns, accounting }) =>
      accounting ? runsByOutcome(accounting).map((outcome) => ({ ...columns, ...outcome })) : []
    ),
  };
}
