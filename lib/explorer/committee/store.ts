import { conditionName } from "../../deliberation/condition_name.ts";
import { OPTION_LETTERS } from "../../schema/scenario.ts";
import type { BootstrapSlope } from "../../stats/bootstrap_slope.ts";
import { divergence } from "../../stats/divergence.ts";
import type { GrowthLaws } from "../../stats/growth_laws.ts";
import { type LyapunovSlope, lyapunovSlope } from "../../stats/lyapunov_slope.ts";
import type { GivenRuns } from "./given.ts";
import { type ChangedTurn, type Measures, openPool, type PageRun, type Reply } from "./serve.ts";
import {
  type CommitteeData,
  conditionOf,
  labelOf,
  parametersOf,
  type PublishedSlope,
  specOf,
  type State,
} from "./state.ts";

/** A committee and what is known of it by now. */
export interface Known {
  /** `A` or `B`; `C` for runs of the reader's own. */
  readonly sign: string;
  readonly label: string;
  readonly options: readonly string[];
  readonly seats: readonly string[];
  readonly runs: readonly PageRun[];
  readonly complete: readonly PageRun[];
  /** Absent with fewer than two complete runs. */
  readonly D?: readonly number[] | undefined;
  readonly slope?: Pick<LyapunovSlope, "lambda" | "intercept" | "reason"> | undefined;
  readonly bootstrap?: Omit<BootstrapSlope, "draws" | "undefinedDraws" | "leaveOneOut"> | undefined;
  readonly laws?: Pick<GrowthLaws, "laws" | "best" | "reason"> | undefined;
  readonly published?: PublishedSlope | undefined;
}

/** A run with one turn asked again; its key is that of the run and its settings. */
export type Twin = Extract<Reply, { kind: "run" }> & { readonly changed: ChangedTurn };

export type Store = ReturnType<typeof openStore>;

/** A page that has seen more committees forgets the oldest. */
const MOST_CONDITIONS = 40;

/** Arriving runs are drawn at most this often: drawing each would take the time from making them. */
const STREAM_MS = 80;

/** The page's runs by what makes them, so that going back costs nothing. */
export function openStore(data: CommitteeData, onChange: () => void) {
  const runs = new Map<string, (PageRun | undefined)[]>();
  let measured: { key: string; measures?: Measures } | undefined, twin: Twin | undefined;
  let own: GivenRuns | undefined, given = 0, told = 0, wanted: State | undefined;
  const keyOf = (state: State, committee: number) =>
    JSON.stringify([specOf(state.committees[committee]!), state.mechanism, state.seed]);
  const measureKey = (state: State) =>
    JSON.stringify([state.committees.map((_, i) => keyOf(state, i)), given, state.replicates, state.from, state.to]);
  const twinKey = (state: State) => keyOf(state, state.shown.committee) + state.shown.replicate;
  const planOf = (state: State, committee: number, changed?: ChangedTurn) => ({
    condition: conditionOf(data, state.committees[committee]!),
    parameters: parametersOf(data, state),
    ...{ seed: state.seed, changed },
  });
  const runsAt = (key: string) => {
    const [oldest] = runs.keys();
    if (!runs.has(key) && runs.size >= MOST_CONDITIONS) runs.delete(oldest!);
    if (!runs.has(key)) runs.set(key, []);
    return runs.get(key)!;
  };
  const lacking = (state: State, committee: number): number[] => {
    const have = runsAt(keyOf(state, committee));
    return Array.from({ length: state.replicates }, (_, i) => i).filter((i) => have[i] === undefined);
  };
  const missing = (state: State) =>
    state.committees.reduce((total, _, committee) => total + lacking(state, committee).length, 0);
  const measures = (state: State) => measured?.key === measureKey(state) ? measured.measures : undefined;
  const pool = openPool((reply) => {
    if (reply.kind === "ready") return;
    if (reply.kind === "measures") {
      if (measured?.key === reply.key) measured = reply;
    } else if (reply.changed) twin = { ...reply, changed: reply.changed };
    else {
      runsAt(reply.key)[reply.run.replicate] = reply.run;
      measureSoon();
    }
    if (wanted && missing(wanted) > 0 && performance.now() - told < STREAM_MS) return;
    told = performance.now();
    onChange();
  });
  const known = (state: State): Known[] => {
    const slopes = measures(state)?.slopes;
    const committees = state.committees.map((committee, i): Known => {
      const { packet, seats, ...rest } = conditionOf(data, committee);
      const have = runsAt(keyOf(state, i)).slice(0, state.replicates).filter((run) => run !== undefined);
      const complete = have.filter(({ flaw }) => flaw === undefined);
      const D = complete.length < 2 ? undefined : divergence(complete.map(({ means }) => means));
      const name = conditionName({ packet, seats, ...rest });
      return {
        ...{ sign: "AB"[i]!, label: labelOf(data, committee), runs: have, complete, D },
        options: packet.options.map(({ label }, k) => `${OPTION_LETTERS[k]}: ${label}`),
        seats: seats.map(({ label }) => label),
        slope: D && lyapunovSlope(D, { from: state.from, to: state.to }),
        ...slopes?.[i],
        published: data.published.find((one) => one.name === name),
      };
    });
    return own ? [...committees, ownKnown(own, state, slopes?.[committees.length])] : committees;
  };
  /** Measures the wanted state once all its runs are there. */
  const measureSoon = () => {
    if (wanted === undefined || missing(wanted) > 0) return;
    const { committees, seed, from, to } = wanted, key = measureKey(wanted), found = known(wanted);
    if (measured?.key === key || found.some(({ D }) => D === undefined)) return;
    measured = { key };
    // A measurement for another window is no longer wanted.
    pool.send({ kind: "stop" }, 0);
    const groups = committees.map((committee, i) => ({
      name: conditionName(conditionOf(data, committee)),
      means: found[i]!.complete.map(({ means }) => means),
    }));
    const beside = own && own.means[0]!.length >= to ? own : undefined;
    pool.send({ kind: "measure", key, work: [groups, { seed, from, to, resamples: data.resamples, beside }] }, 0);
  };
  return {
    /** `known`: the committees, then the reader's own runs; `missing`: number of runs still to be made. */
    ...{ known, measures, missing, where: pool.where },
    /** Takes runs of the reader's own, or forgets them. */
    give(runs: GivenRuns | undefined) {
      own = runs;
      given++;
      onChange();
    },
    /** Makes the runs that a state needs and the page lacks; unfinished work for another state is dropped. */
    want(state: State) {
      wanted = state;
      if (measured?.measures === undefined && measured?.key !== measureKey(state)) measured = undefined;
      if (missing(state) === 0) return measureSoon();
      pool.send({ kind: "stop" });
      for (const committee of state.committees.keys()) {
        const key = keyOf(state, committee), plan = planOf(state, committee), lack = lacking(state, committee);
        for (let member = 0; member < pool.size; member++) {
          const replicates = lack.filter((_, place) => place % pool.size === member);
          if (replicates.length > 0) pool.send({ kind: "run", key, plan, replicates }, member);
        }
      }
    },
    makeTwin(state: State, changed: ChangedTurn) {
      const { committee, replicate } = state.shown, plan = planOf(state, committee, changed);
      pool.send({ kind: "run", key: twinKey(state), plan, replicates: [replicate] }, 0);
    },
    twin: (state: State) => twin?.key === twinKey(state) ? twin : undefined,
  };
}

/**
 * Runs of the reader's own beside the committees; where they are shorter than the window of the fit, they have no
 * slope.
 */
function ownKnown(
  { name, means, leftOut }: GivenRuns,
  { from, to }: State,
  measured: Measures["slopes"][number] | undefined,
): Known {
  const complete = means.map((means, replicate): PageRun => ({ replicate, means, turns: [] }));
  const others = Array.from(
    { length: leftOut },
    (_, i): PageRun => ({ replicate: means.length + i, means: [], turns: [], flaw: "open" }),
  );
  const D = divergence(means), none = { reason: "missing-rounds" } as const;
  return {
    ...{ sign: "C", label: name, options: [], seats: [], runs: [...complete, ...others], complete, D },
    ...(D.length < to
      ? { slope: none, bootstrap: { ...none, percentile: {} }, laws: { ...none, laws: [] } }
      : { slope: lyapunovSlope(D, { from, to }), ...measured }),
  };
}
