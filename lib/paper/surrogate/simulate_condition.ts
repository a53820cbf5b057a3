import { maxIndex } from "d3-array";
import { committeeMean } from "../../core/numbers.ts";
import { contentHash } from "../../core/json.ts";
import { createRng, type Rng } from "../../core/rng.ts";
import { runRng, turnPlace } from "../../deliberation/deliberate.ts";
import { createPrompter } from "../../deliberation/prompt.ts";
import { initialState } from "../../deliberation/state.ts";
import { packetPart } from "../../model/surrogate/read_prompt.ts";
import { drawNoise } from "../../model/surrogate/respond.ts";
import type { Condition } from "../../schema/condition.ts";
import { OPTION_LETTERS } from "../../schema/scenario.ts";
import type { SurrogateParameters } from "../../schema/surrogate_parameters.ts";
import type { AgentPreferences } from "../../stats/decisions.ts";
import { type CommitteeSpec, runSeated, runSize, seatCommittee, type SeatedCommittee } from "./fast_committee.ts";

/** A run of a surrogate committee by its numbers. */
export interface SimulatedRun {
  /** Shape [T][N][K]. */
  readonly preferences: AgentPreferences;
  /** Committee means, shape [T][K]. */
  readonly means: readonly (readonly number[])[];
  readonly decision: string;
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
): SimulatedRun[] {
  const committee = seatCondition(condition, parameters);
  return Array.from({ length: replicates }, (_, replicate) => {
    const run = runRng(condition, seed, replicate);
    return simulateRun(committee, (round, seat) => createRng(run.fork(turnPlace(round, seat, false)).key));
  });
}

/** A condition's committee as the surrogate's parameters make it, for `simulateRun`; `order`, `rounds` may be changed. */
export const seatCondition = (condition: Condition, parameters: SurrogateParameters): SeatedCommittee =>
  seatCommittee(mechanicalSpec(condition), parameters);

/**
 * One simulated run: preferences, committee means and the decision that its ballots give.
 *
 * @param stream of the whole run, or of each of its calls.
 */
export function simulateRun(
  committee: SeatedCommittee,
  stream: Rng | ((round: number, seat: number) => Rng),
): SimulatedRun {
  const preferences = simulateCommittee(committee, typeof stream === "function" ? stream : () => stream);
  return { preferences, means: preferences.map(committeeMean), decision: ballotDecision(preferences.at(-1)!) };
}

/** The decision by ballots of agents who vote for their own top option: most votes, then confidence, then the letter. */
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
 * A surrogate committee without its words: the same numbers as `deliberate` with the surrogate gives through prompts
 * and parsers, some hundred times faster. A test holds the two routes to equal numbers.
 *
 * @param committee from `seatCommittee`, once for all its runs.
 * @param rngFor the random stream of one call.
 * @returns preferences, shape [T][N][K].
 */
export function simulateCommittee(
  committee: SeatedCommittee,
  rngFor: (round: number, seat: number) => Rng,
): number[][][] {
  const { seats, order, rounds, optionCount, noiseShare } = committee;
  const draws = new Float64Array(runSize(committee)), rows = new Uint8Array(draws.length);
  for (let call = 0; call * optionCount < draws.length; call++) {
    const rng = rngFor(1 + Math.floor(call / seats.length), order[call % seats.length]!);
    drawNoise(draws, call * optionCount, optionCount, noiseShare, rng);
  }
  runSeated(committee, { rows, rowsAt: 0, draws, drawsAt: 0 });
  return Array.from({ length: rounds }, (_, round) =>
    seats.map((_, seat) => {
      const at = (round * seats.length + seat) * optionCount, row = new Array<number>(optionCount);
      // Array.from of a part of a typed array takes forty times as long.
      for (let k = 0; k < optionCount; k++) row[k] = rows[at + k]! / 100;
      return row;
    }));
}

/** A condition by what the surrogate's mechanism sees of it. */
export function mechanicalSpec(condition: Condition): CommitteeSpec {
  const { packet, seats, order, temperature, window, rounds } = condition;
  const [wording, optionCount] = [packetWording(condition), packet.options.length];
  const sitting = seats.map(({ model, role, mandate }) => ({ model, mandate: mandate === "" ? undefined : role }));
  return { scenario: packet.id, wording, optionCount, seats: sitting, order, temperature, window, rounds };
}

/** Hash of the scenario packet as a condition's agents read it: what surrogates tell one wording from another by. */
export function packetWording(condition: Condition): string {
  const turn = { kind: "turn", round: 1, seat: 0, again: false } as const;
  return contentHash(packetPart(createPrompter(condition)(initialState(condition), turn)[1]));
}
