import { conditionName } from "../../deliberation/condition_name.ts";
import { OPTION_LETTERS } from "../../schema/scenario.ts";
import { divergence } from "../../stats/divergence.ts";
import { lyapunovSlope } from "../../stats/lyapunov_slope.ts";
import type { PageRun } from "./data.ts";
import type { GivenRuns } from "./given.ts";
import type { CommitteeData } from "./state.ts";
import type { Measures } from "./measures.ts";
import type { Known } from "./pictures.ts";
import { openPool } from "./pool.ts";
import type { ChangedTurn, Reply } from "./serve.ts";
import { conditionOf, labelOf, parametersOf, specOf, type State } from "./state.ts";

/** A run with one turn asked again. */
export interface Twin extends ChangedTurn {
  /** Of the run that it is the twin of. */
  readonly of: string;
  readonly run: PageRun;
}

export interface Store {
  /** Makes the runs that a state needs and the page does not have; what is under way for another state is dropped. */
  want(state: State): void;
  /** The committees, then the reader's own runs. */
  known(state: State): Known[];
  /** Takes runs of the reader's own, or forgets them. */
  give(runs: GivenRuns | undefined): void;
  measures(state: State): Measures | undefined;
  /** Runs that are still to come. */
  missing(state: State): number;
  makeTwin(state: State, changed: ChangedTurn): void;
  twin(state: State): Twin | undefined;
  readonly where: () => string;
}

/** A page that has seen many committees forgets the oldest. */
const MOST_CONDITIONS = 40;

/** So often is drawn what has come. */
const STREAM_MS = 80;

/** The page's runs by what makes them, so that going back costs nothing. */
export function openStore(data: CommitteeData, onChange: () => void): Store {
  const runs = new Map<string, (PageRun | undefined)[]>();
  const jobs = new Map<number, (reply: Exclude<Reply, { kind: "ready" }>) => void>();
  let job = 0, measured: { key: string; measures?: Measures } | undefined, twin: Twin | undefined;
  let own: GivenRuns | undefined, given = 0, told = 0, streaming: State | undefined;
  const keyOf = (state: State, committee: number) =>
    JSON.stringify([specOf(state.committees[committee]!), state.mechanism, state.seed]);
  const measureKey = (state: State) =>
    JSON.stringify([state.committees.map((_, i) => keyOf(state, i)), given, state.replicates, state.from, state.to]);
  const runsOf = (state: State, committee: number): (PageRun | undefined)[] => {
    const key = keyOf(state, committee), found = runs.get(key);
    if (found) return found;
    const [oldest] = runs.keys();
    if (runs.size >= MOST_CONDITIONS) runs.delete(oldest!);
    const made: PageRun[] = [];
    runs.set(key, made);
    return made;
  };
  const lacking = (state: State, committee: number): number[] => {
    const have = runsOf(state, committee);
    return Array.from({ length: state.replicates }, (_, i) => i).filter((i) => have[i] === undefined);
  };
  const missing = (state: State) =>
    state.committees.reduce((total, _, committee) => total + lacking(state, committee).length, 0);
  const pool = openPool((reply) => {
    if (reply.kind === "ready") return;
    jobs.get(reply.job)?.(reply);
    // While runs stream in, drawing each would take the time from making them.
    if (streaming && missing(streaming) > 0 && performance.now() - told < STREAM_MS) return;
    told = performance.now();
    onChange();
  });
  const stopAll = () => {
    jobs.clear();
    for (let member = 0; member < pool.size; member++) pool.send({ kind: "stop", before: job + 1 }, member);
  };
  const known = (state: State): Known[] => {
    const committees = state.committees.map((committee, i) => {
      const { packet, seats, ...condition } = conditionOf(data, committee);
      const have = runsOf(state, i).slice(0, state.replicates).filter((run) => run !== undefined);
      const complete = have.filter(({ flaw }) => flaw === undefined);
      const D = complete.length < 2 ? undefined : divergence(complete.map(({ means }) => means));
      const name = conditionName({ packet, seats, ...condition });
      return {
        ...{ sign: "AB"[i]!, label: labelOf(data, committee), runs: have, complete, D },
        options: packet.options.map(({ label }, k) => `${OPTION_LETTERS[k]}: ${label}`),
        seats: seats.map(({ label }) => label),
        slope: D && lyapunovSlope(D, { from: state.from, to: state.to }),
        ...measures(state)?.slopes[i],
        published: data.published.find((one) => one.name === name),
      };
    });
    return own ? [...committees, ownKnown(own, state, measures(state)?.slopes[committees.length])] : committees;
  };
  const measures = (state: State) => measured?.key === measureKey(state) ? measured.measures : undefined;
  const measureSoon = (state: State) => {
    const key = measureKey(state), found = known(state);
    if (measured?.key === key || missing(state) > 0 || found.some(({ D }) => D === undefined)) return;
    measured = { key };
    // What was measured for another window is no longer wanted.
    pool.send({ kind: "stop", before: job + 1 });
    jobs.set(++job, (reply) => {
      if (reply.kind === "measures" && measured?.key === key) measured = { key, measures: reply.measures };
    });
    const groups = found.slice(0, state.committees.length).map(({ complete }, i) => ({
      name: conditionName(conditionOf(data, state.committees[i]!)),
      means: complete.map(({ means }) => means),
    }));
    const { seed, from, to } = state;
    const beside = own && own.means[0]!.length >= to ? own : undefined;
    pool.send({ kind: "measure", job, groups, options: { seed, from, to, resamples: data.resamples, beside } });
  };
  return {
    ...{ known, measures, missing, where: pool.where },
    give(runs) {
      own = runs;
      given++;
      onChange();
    },
    want(state) {
      streaming = state;
      if (measured?.measures === undefined && measured?.key !== measureKey(state)) measured = undefined;
      if (missing(state) === 0) return measureSoon(state);
      stopAll();
      const [parameters, { seed }] = [parametersOf(data, state), state];
      state.committees.forEach((committee, i) => {
        const condition = conditionOf(data, committee), have = runsOf(state, i), wanted = lacking(state, i);
        for (let member = 0; member < pool.size; member++) {
          const replicates = wanted.filter((_, place) => place % pool.size === member);
          if (replicates.length === 0) continue;
          jobs.set(++job, (reply) => {
            if (reply.kind !== "run") return;
            have[reply.run.replicate] = reply.run;
            measureSoon(state);
          });
          pool.send({ kind: "run", job, condition, parameters, seed, replicates }, member);
        }
      });
    },
    makeTwin(state, changed) {
      const { committee, replicate } = state.shown, of = keyOf(state, committee) + replicate;
      jobs.set(++job, (reply) => {
        if (reply.kind === "run") twin = { ...changed, of, run: reply.run };
      });
      const [condition, parameters] = [conditionOf(data, state.committees[committee]!), parametersOf(data, state)];
      pool.send({ kind: "run", job, condition, parameters, seed: state.seed, replicates: [replicate], changed });
    },
    twin: (state) => twin?.of === keyOf(state, state.shown.committee) + state.shown.replicate ? twin : undefined,
  };
}

/** Runs of the reader's own beside the committees; shorter than the window of the fit, they have no slope. */
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
  const D = divergence(means), short = D.length < to;
  const none = { reason: "missing-rounds" as const };
  return {
    ...{ sign: "C", label: name, options: [], seats: [], runs: [...complete, ...others], complete, D },
    slope: short ? { used: [], dropped: [], ...none } : lyapunovSlope(D, { from, to }),
    ...(short
      ? {
        bootstrap: { draws: [], undefinedDraws: 0, leaveOneOut: [], percentile: {}, ...none },
        laws: { laws: [], undefinedDraws: 0, ...none },
      }
      : measured),
  };
}
