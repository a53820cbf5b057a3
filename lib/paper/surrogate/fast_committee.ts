import { type Disposition, disposition } from "../../model/surrogate/disposition.ts";
import { drawNoise, noiseWidth, stanceQuarters, sumField, takeTurn, topOption } from "../../model/surrogate/respond.ts";
import type { Rng } from "../../core/rng.ts";
import type { Role } from "../../schema/scenario.ts";
import type { SurrogateParameters } from "../../schema/surrogate_parameters.ts";
import { lyapunovSlope } from "../../stats/lyapunov_slope.ts";
import type { CellFacts } from "./loss.ts";

/** The parts of a condition that the surrogate's mechanism depends on. */
export interface CommitteeSpec {
  readonly scenario: string;
  /** Hash of the packet's text; absent: the wording that the parameters belong to. */
  readonly wording?: string | undefined;
  readonly optionCount: number;
  readonly seats: readonly { readonly model: string; readonly mandate: Role | undefined }[];
  readonly order: readonly number[];
  readonly temperature: number;
  readonly window: number;
  readonly rounds: number;
}

/** A committee whose seats are worked out once and run many times, without objects in between. */
export interface SeatedCommittee {
  readonly seats: readonly Disposition[];
  readonly isChair: readonly boolean[];
  /** Width of each seat's noisy calls, logits. */
  readonly widths: readonly number[];
  readonly order: readonly number[];
  readonly optionCount: number;
  readonly window: number;
  readonly rounds: number;
  readonly chairWeight: number;
  readonly noiseShare: number;
}

/** A committee's seats as a parameter set makes them. */
export function seatCommittee(spec: CommitteeSpec, parameters: SurrogateParameters): SeatedCommittee {
  const { scenario, wording, optionCount, order, temperature, window, rounds } = spec;
  const { mechanism } = parameters;
  const seats = spec.seats.map(({ model, mandate }) =>
    disposition(parameters, { scenario, wording, optionCount, role: mandate, model })
  );
  return {
    ...{
      seats,
      order,
      optionCount,
      window,
      rounds,
      chairWeight: mechanism.chairWeight,
      noiseShare: mechanism.noiseShare,
    },
    isChair: spec.seats.map(({ mandate }) => mandate === "Chair"),
    widths: seats.map((seat) => noiseWidth(seat, temperature, mechanism.temperatureNoise)),
  };
}

/** What the size of a run depends on: any committee, seated or not. */
export interface RunShape {
  readonly rounds: number;
  readonly seats: { readonly length: number };
  readonly optionCount: number;
}

/** Numbers in one run's rows, [T][N][K] hundredths; its draws are as many, [T][turn][K]. */
export function runSize({ rounds, seats, optionCount }: RunShape): number {
  return rounds * seats.length * optionCount;
}

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

/**
 * Runs a committee once, by numbers alone: a tenth of a microsecond a turn, where prompts and parsers take fifty.
 *
 * @param rows takes the preferences from `rowsAt` on, [T][N][K] hundredths.
 * @param draws standard normals from `drawsAt` on, [T][turn][K] in speaking order.
 */
export function runSeated(
  committee: SeatedCommittee,
  { rows, rowsAt, draws, drawsAt }: { rows: Uint8Array; rowsAt: number; draws: Float64Array; drawsAt: number },
): void {
  const { seats, isChair, widths, order, optionCount, window, rounds, chairWeight } = committee;
  const turns = order.length, row = turns * optionCount;
  const spokenFor = new Uint8Array(rounds * turns), quarters = new Uint8Array(rounds * turns);
  const plain = new Int32Array(optionCount), syntheses = new Int32Array(optionCount);
  const field = new Float64Array(optionCount);
  const turn = { field, row: rows, at: 0, first: true, draws, drawAt: drawsAt, width: 0 };
  for (let round = 0, call = 0; round < rounds; round++) {
    const here = rowsAt + round * row;
    if (round > 0) rows.copyWithin(here, here - row, here);
    for (let position = 0; position < turns; position++, call++) {
      const seat = order[position]!;
      sumField(field, plain, syntheses, chairWeight);
      turn.at = here + seat * optionCount;
      turn.first = round === 0;
      turn.drawAt = drawsAt + call * optionCount;
      turn.width = widths[seat]!;
      takeTurn(seats[seat]!, turn);
      const option = topAt(rows, turn.at, optionCount);
      spokenFor[call] = option;
      quarters[call] = stanceQuarters(seats[seat]!, rows, turn);
      if (window === 0) continue;
      (isChair[seat] ? syntheses : plain)[option]! += quarters[call]!;
      const gone = call - window;
      if (gone >= 0) (isChair[order[gone % turns]!] ? syntheses : plain)[spokenFor[gone]!]! -= quarters[gone]!;
    }
  }
}

function topAt(rows: Uint8Array, at: number, optionCount: number): number {
  let top = 0;
  for (let k = 1; k < optionCount; k++) if (rows[at + k]! > rows[at + top]!) top = k;
  return top;
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

/** λ̂ of an ensemble; undefined where its runs do not differ. */
export function ensembleLambda(committee: SeatedCommittee, rows: Uint8Array): number | undefined {
  return lyapunovSlope(ensembleDivergence(committee, committeeSums(committee, rows))).lambda;
}

/** What an ensemble shows. */
export function ensembleFacts(committee: SeatedCommittee, rows: Uint8Array): CellFacts {
  const { rounds, optionCount, seats: { length: seats } } = committee;
  const size = runSize(committee), runs = rows.length / size;
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
    ...{ lambda: ensembleLambda(committee, rows), outcomes, switches },
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
  return topOption(weight);
}

/** The median of whole numbers taken as spread evenly over t ± ½, so that it moves with every run. */
export function groupedMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b), half = sorted.length / 2;
  const middle = sorted[Math.floor(half)]!;
  const below = sorted.indexOf(middle), here = sorted.lastIndexOf(middle) + 1 - below;
  return middle - 0.5 + (half - below) / here;
}
