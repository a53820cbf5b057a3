import { maxIndex } from "d3-array";
import { mean } from "simple-statistics";
import type { Rng } from "@/core/rng.ts";
import { drawNoise } from "@/model/surrogate/respond.ts";
import {
  runSeated,
  type RunShape,
  runSize,
  type SeatedCommittee,
  topAt,
} from "@/lab/paper/surrogate/simulate_condition.ts";
import { lyapunovSlope } from "@/stats/lyapunov_slope.ts";
import type { CellFacts } from "./loss.ts";

/** Standard normal draws of some runs, [R][T][turn][K], zeros for quiet calls. */
export function drawRuns(
  shape: RunShape,
  { runs, noiseShare, rng }: { runs: number; noiseShare: number; rng: Rng },
): Float64Array {
  const draws = new Float64Array(runs * runSize(shape));
  for (let at = 0; at < draws.length; at += shape.optionCount) {
    drawNoise(draws, at, shape.optionCount, noiseShare, rng);
  }
  return draws;
}

/** Runs a committee once for every run's worth of draws: rows [R][T][N][K], hundredths. */
export function runEnsemble(committee: SeatedCommittee, draws: Float64Array): Uint8Array {
  const rows = new Uint8Array(draws.length), size = runSize(committee);
  for (let at = 0; at < draws.length; at += size) runSeated(committee, { rows, rowsAt: at, draws, drawsAt: at });
  return rows;
}

/** Committee sums of an ensemble's rows, [R][T][K] hundredths: N times the means. */
export function committeeSums(committee: SeatedCommittee, rows: Uint8Array): Int32Array {
  const { seats: { length: seats }, optionCount } = committee;
  const sums = new Int32Array(rows.length / seats);
  for (let round = 0; round * optionCount < sums.length; round++) {
    for (let i = 0; i < seats * optionCount; i++) {
      sums[round * optionCount + (i % optionCount)]! += rows[round * seats * optionCount + i]!;
    }
  }
  return sums;
}

/** D(t) of an ensemble, [T], from `committeeSums`. */
export function ensembleDivergence(committee: SeatedCommittee, sums: Int32Array): number[] {
  const { rounds, optionCount, seats } = committee;
  const size = rounds * optionCount, runs = sums.length / size;
  const pairs = (runs * (runs - 1)) / 2;
  return Array.from({ length: rounds }, (_, t) => {
    let total = 0;
    for (let a = t * optionCount; a < sums.length; a += size) {
      for (let b = a + size; b < sums.length; b += size) {
        let squares = 0;
        for (let k = 0; k < optionCount; k++) {
          const gap = sums[a + k]! - sums[b + k]!;
          squares += gap * gap;
        }
        total += Math.sqrt(squares);
      }
    }
    return total / pairs / (100 * seats.length);
  });
}

/** λ̂ of an ensemble, from its sums; undefined where its runs do not differ. */
const lambdaOf = (committee: SeatedCommittee, sums: Int32Array): number | undefined =>
  lyapunovSlope(ensembleDivergence(committee, sums)).lambda;

/**
 * Mean λ̂ of an ensemble's parts of `runs` runs each: what studies of that size find on average, where few runs that
 * part early would decide the λ̂ of one large ensemble. NaN where the runs of some part do not differ.
 */
export function meanLambda(committee: SeatedCommittee, rows: Uint8Array, runs: number): number {
  const sums = committeeSums(committee, rows), part = runs * committee.rounds * committee.optionCount;
  const parts = Math.floor(sums.length / part);
  return mean(
    Array.from({ length: parts }, (_, i) => lambdaOf(committee, sums.subarray(i * part, (i + 1) * part)) ?? NaN),
  );
}

/**
 * How much a single run can carry λ̂: the largest change by leaving one run out, averaged over an ensemble's parts of
 * `runs` runs. Nats per round; NaN where some slope is undefined.
 *
 * @param sums of a whole number of parts, from `committeeSums`.
 */
export function largestLeaveOneOut(committee: SeatedCommittee, sums: Int32Array, runs: number): number {
  const size = committee.rounds * committee.optionCount, part = runs * size;
  const changes: number[] = [];
  for (let at = 0; at + part <= sums.length; at += part) {
    const whole = sums.subarray(at, at + part), lambda = lambdaOf(committee, whole) ?? NaN;
    const rest = new Int32Array(part - size);
    changes.push(Math.max(...Array.from({ length: runs }, (_, run) => {
      rest.set(whole.subarray(0, run * size));
      rest.set(whole.subarray((run + 1) * size), run * size);
      return Math.abs((lambdaOf(committee, rest) ?? NaN) - lambda);
    })));
  }
  return mean(changes);
}

/** What an ensemble shows. */
export function ensembleFacts(committee: SeatedCommittee, rows: Uint8Array): CellFacts {
  const { rounds, optionCount, seats: { length: seats } } = committee;
  const size = runSize(committee), runs = rows.length / size;
  const divergence = ensembleDivergence(committee, committeeSums(committee, rows));
  const outcomes = new Array<number>(optionCount).fill(0), switches = new Array<number>(seats).fill(0);
  const tops = new Uint8Array(rounds * seats), firsts: number[] = [];
  for (let at = 0; at < rows.length; at += size) {
    for (let i = 0; i < tops.length; i++) {
      tops[i] = topAt(rows, at + i * optionCount, optionCount);
      if (i >= seats && tops[i] !== tops[i - seats]) switches[i % seats]! += 1 / runs;
    }
    firsts.push(firstMajority(tops, seats, optionCount));
    outcomes[endingAt(rows.subarray(at + size - seats * optionCount, at + size), optionCount)]! += 1 / runs;
  }
  return {
    ...{ lambda: lyapunovSlope(divergence).lambda, divergence, outcomes, switches },
    flip: 1 - Math.max(...outcomes),
    majority: groupedMedian(firsts),
  };
}

/** First round, from 1, with three of a kind; the round after the last where there is none. */
function firstMajority(tops: Uint8Array, seats: number, optionCount: number): number {
  const rounds = tops.length / seats;
  for (let round = 0; round < rounds; round++) {
    const votes = new Uint8Array(optionCount);
    for (let i = 0; i < seats; i++) if (++votes[tops[round * seats + i]!]! >= 3) return round + 1;
  }
  return rounds + 1;
}

/** What the last round's ballots decide: most votes, then summed confidence, then the earlier option. */
function endingAt(last: Uint8Array, optionCount: number): number {
  const weight = new Float64Array(optionCount);
  for (let at = 0; at < last.length; at += optionCount) {
    const top = topAt(last, at, optionCount);
    // A vote outweighs the confidence, at most 100 each, of all who vote.
    weight[top]! += 100 * last.length + 1 + last[at + top]!;
  }
  return maxIndex(weight);
}

/** The median of whole numbers taken as spread evenly over t ± ½, so that it moves with every run. */
export function groupedMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b), half = sorted.length / 2;
  const middle = sorted[Math.floor(half)]!;
  const below = sorted.indexOf(middle), here = sorted.lastIndexOf(middle) + 1 - below;
  return middle - 0.5 + (half - below) / here;
}
