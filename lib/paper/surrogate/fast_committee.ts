import { type Disposition, disposition } from "../../model/surrogate/disposition.ts";
import { noiseWidth, stanceQuarters, sumField, takeTurn } from "../../model/surrogate/respond.ts";
import type { Role } from "../../schema/scenario.ts";
import type { SurrogateParameters } from "../../schema/surrogate_parameters.ts";

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
  const { chairWeight, noiseShare, temperatureNoise } = parameters.mechanism;
  const seats = spec.seats.map(({ model, mandate }) =>
    disposition(parameters, { scenario, wording, optionCount, role: mandate, model })
  );
  const isChair = spec.seats.map(({ mandate }) => mandate === "Chair");
  const widths = seats.map((seat) => noiseWidth(seat, temperature, temperatureNoise));
  return { seats, isChair, widths, order, optionCount, window, rounds, chairWeight, noiseShare };
}

/** The numbers that give the size of a run: any committee has them, seated or not. */
export interface RunShape {
  readonly rounds: number;
  readonly seats: { readonly length: number };
  readonly optionCount: number;
}

/** Numbers in one run's rows, [T][N][K] hundredths; its draws are as many, [T][turn][K]. */
export function runSize({ rounds, seats, optionCount }: RunShape): number {
  return rounds * seats.length * optionCount;
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

/** Index of the largest of the numbers from `at` on; the earlier of equal ones. */
export function topAt(rows: Uint8Array, at: number, optionCount: number): number {
  let top = 0;
  for (let k = 1; k < optionCount; k++) if (rows[at + k]! > rows[at + top]!) top = k;
  return top;
}
