import { maxIndex } from "d3-array";
import { median } from "simple-statistics";
import { createRng, type Rng } from "../../core/rng.ts";
import { committeeMean } from "../../core/committee_mean.ts";
import { runRng, turnPlace } from "../../deliberation/deliberate.ts";
import type { Condition } from "../../schema/condition.ts";
import { OPTION_LETTERS } from "../../schema/scenario.ts";
import type { SurrogateParameters } from "../../schema/surrogate_parameters.ts";
import { type BranchingEntropy, branchingEntropy } from "../../stats/branching_entropy.ts";
import { type AgentPreferences, flipRate, switchCounts, timeToMajority } from "../../stats/decisions.ts";
import { divergence } from "../../stats/divergence.ts";
import { lyapunovSlope } from "../../stats/lyapunov_slope.ts";
import { type CommitteeSpec, seatCommittee, type SeatedCommittee } from "./fast_committee.ts";
import { packetWording, simulateCommittee } from "./simulate_committee.ts";

/** What an ensemble of one condition shows. A field that is undefined cannot be judged. */
export interface ConditionFacts {
  /** Nats per round. */
  readonly lambda: number | undefined;
  /** Share of runs whose decision is not the modal one. */
  readonly flip: number;
  /** Median round of the first majority; `never` counts as the round after the last. */
  readonly majority: number;
  /** Mean switches a run, by seat. */
  readonly switches: readonly number[];
  /** Share of the runs with a decision that end on each option, by letter; no letter for an option that none ends on. */
  readonly endings: Readonly<Record<string, number>>;
}

/** A run as far as its facts go. */
export interface FactsRun {
  /** Shape [T][N][K]. */
  readonly preferences: AgentPreferences;
  /** Committee means, shape [T][K]. */
  readonly means: readonly (readonly number[])[];
  readonly decision: string | undefined;
}

/** λ̂, flip rate, time to majority, switches and endings of an ensemble of runs. */
export function conditionFacts(runs: readonly FactsRun[]): ConditionFacts {
  const switches = runs.map(({ preferences }) => switchCounts(preferences));
  const decisions = runs.flatMap(({ decision }) => decision ?? []);
  return {
    lambda: lyapunovSlope(divergence(runs.map(({ means }) => means))).lambda,
    flip: flipRate(decisions),
    majority: median(runs.map(({ preferences }) => timeToMajority(preferences) ?? preferences.length + 1)),
    switches: switches[0]!.map((_, seat) => switches.reduce((total, counts) => total + counts[seat]!, 0) / runs.length),
    endings: Object.fromEntries(
      [...Map.groupBy(decisions, (decision) => decision)].map(([letter, of]) => [letter, of.length / decisions.length]),
    ),
  };
}

/** A simulated ensemble: R runs, each with the stream's fork of its number. */
export function simulatedRuns(
  spec: CommitteeSpec,
  parameters: SurrogateParameters,
  rng: Rng,
  replicates: number,
): FactsRun[] {
  const committee = seatCommittee(spec, parameters);
  return Array.from({ length: replicates }, (_, replicate) => simulatedRun(committee, rng.fork(replicate)));
}

/**
 * One simulated run: preferences, committee means and the decision that its ballots give.
 *
 * @param stream of the whole run, or of each of its calls.
 */
export function simulatedRun(
  committee: SeatedCommittee,
  stream: Rng | ((round: number, seat: number) => Rng),
): FactsRun {
  const preferences = simulateCommittee(committee, typeof stream === "function" ? stream : () => stream);
  return { preferences, means: preferences.map(committeeMean), decision: ballotDecision(preferences.at(-1)!) };
}

/** What the ballots of agents who vote for their own top option decide: most votes, then confidence, then the letter. */
export function ballotDecision(rows: readonly (readonly number[])[]): string {
  const tops = rows.map((row) => maxIndex(row));
  // A vote outweighs the confidence, at most 100 each, of all who vote.
  const vote = 100 * rows.length + 1;
  const weight = rows[0]!.map((_, k) =>
    rows.reduce((sum, row, i) => sum + (tops[i] === k ? vote + Math.round(100 * row[k]!) : 0), 0)
  );
  return OPTION_LETTERS[maxIndex(weight)]!;
}

/**
 * The branching certificate of simulated committees, one entry a base state.
 *
 * Continuations of a base state share the random stream up to its round and have their own from there on.
 *
 * @param options `bases` 5, `continuations` 30 as in the paper (S3.2); `round` 10, which the paper does not give: the
 * last round that continuations share, 1-based.
 */
export function simulatedBranching(
  spec: CommitteeSpec,
  parameters: SurrogateParameters,
  seed: number,
  { bases = 5, continuations = 30, round = 10 }: { bases?: number; continuations?: number; round?: number } = {},
): BranchingEntropy[] {
  const rng = createRng(seed), committee = seatCommittee(spec, parameters);
  const continued = (base: number, branch: number): number[][] => {
    const [shared, own] = [rng.fork(base), rng.fork(base).fork(branch)];
    const run = simulateCommittee(committee, (at) => (at <= round ? shared : own));
    return run.slice(round - 1).map(committeeMean);
  };
  const tails = Array.from(
    { length: bases },
    (_, base) => Array.from({ length: continuations }, (_, branch) => continued(base, branch)),
  );
  return tails.map((tail, base) => branchingEntropy(tail, { others: tails.filter((_, other) => other !== base) }));
}

/** λ̂ of a simulated ensemble of R runs; undefined where the runs do not differ. */
export function simulatedLambda(
  spec: CommitteeSpec,
  parameters: SurrogateParameters,
  seed: number,
  replicates: number,
): number | undefined {
  const runs = simulatedRuns(spec, parameters, createRng(seed), replicates);
  return lyapunovSlope(divergence(runs.map(({ means }) => means))).lambda;
}

/**
 * Surrogate runs of a condition without prompts and words, half a millisecond each: for studies that need hundreds.
 *
 * They have the numbers of the runs that the surrogate's council gives under the same seed, but none of them is flagged:
 * the few whose STATE line stays unreadable there are whole here.
 *
 * @returns preferences [T][N][K], committee means [T][K] and decision of each.
 */
export function simulateCondition(
  condition: Condition,
  parameters: SurrogateParameters,
  { replicates, seed }: { replicates: number; seed: number },
): FactsRun[] {
  const committee = seatCommittee(mechanicalSpec(condition), parameters);
  return Array.from({ length: replicates }, (_, replicate) => {
    const run = runRng(condition, seed, replicate);
    return simulatedRun(committee, (round, seat) => createRng(run.fork(turnPlace(round, seat, false)).key));
  });
}

/** A condition by what the surrogate's mechanism sees of it. */
export function mechanicalSpec(condition: Condition): CommitteeSpec {
  const { packet, seats, order, temperature, window, rounds } = condition;
  return {
    scenario: packet.id,
    wording: packetWording(condition),
    optionCount: packet.options.length,
    seats: seats.map(({ model, role, mandate }) => ({ model, mandate: mandate === "" ? undefined : role })),
    ...{ order, temperature, window, rounds },
  };
}
