import { committeeMean } from "../../core/committee_mean.ts";
import { topOption } from "../../stats/decisions.ts";
import type { Trajectory } from "../../stats/trajectory.ts";

/** What the explorer of committees is given: as JSON, so that an absent key is not known. */
export interface CommitteeData {
  /** Where the resampling's chance comes from. */
  readonly seed: number;
  readonly resamples: number;
  readonly conditions: readonly ConditionEntry[];
  readonly runs: readonly RunEntry[];
}

/** A condition whose replicates are compared. */
export interface ConditionEntry {
  /** Such as `HL-01, roles on`. */
  readonly label: string;
  /** As its ledger is called: its resampling's chance is forked from it. */
  readonly name: string;
  readonly synthetic: boolean;
  /** How many runs were planned; `means` holds those that are complete. */
  readonly target: number;
  /** Committee-mean preferences, shape [R][T][K]. */
  readonly means: readonly Trajectory[];
}

/** A run to read through, with all that was said. */
export interface RunEntry {
  readonly label: string;
  readonly synthetic: boolean;
  /** Names of the K options, such as `A: Single-payer`. */
  readonly options: readonly string[];
  /** Names of the seats, in seat order. */
  readonly seats: readonly string[];
  /** Letter of the final decision; absent where no ballot could be read. */
  readonly decision?: string | undefined;
  /** In the order in which they were spoken. */
  readonly turns: readonly TurnEntry[];
}

export interface TurnEntry {
  /** 1-based. */
  readonly round: number;
  /** Place in `seats`, counted from 0. */
  readonly seat: number;
  readonly argument: string;
  readonly preferences: readonly number[];
  readonly confidence: number;
  readonly tags: readonly string[];
  /** Only where it came from the repair request. */
  readonly repaired?: true | undefined;
  /** The sum as written, only where the preferences were rescaled. */
  readonly writtenSum?: number | undefined;
}

/** One seat after one round. */
export interface SeatState extends TurnEntry {
  readonly name: string;
  /** Letter of the option it prefers most; the first of them where `tied`. */
  readonly top: string;
  readonly tied: boolean;
  /** Letter of what it preferred most a round earlier, where that was another. */
  readonly was?: string;
}

/** A run after one round. */
export interface RunRound {
  readonly round: number;
  /** In seat order. */
  readonly seats: readonly SeatState[];
  /** In the order in which they spoke. */
  readonly spoken: readonly SeatState[];
  /** Mean preferences of the committee, shape [K]. */
  readonly mean: readonly number[];
}

/** The run round by round. Only whole rounds are given. */
export function runRounds({ seats, turns }: RunEntry): RunRound[] {
  const rounds: RunRound[] = [];
  for (let first = 0; first + seats.length <= turns.length; first += seats.length) {
    const said = turns.slice(first, first + seats.length);
    const before = rounds.at(-1)?.seats;
    const spoken = said.map((turn) => seatState(turn, seats[turn.seat]!, before?.[turn.seat]));
    const inOrder = spoken.toSorted((a, b) => a.seat - b.seat);
    rounds.push({
      round: said[0]!.round,
      seats: inOrder,
      spoken,
      mean: committeeMean(inOrder.map(({ preferences }) => preferences)),
    });
  }
  return rounds;
}

function seatState(turn: TurnEntry, name: string, before: SeatState | undefined): SeatState {
  const { option, tied } = topOption(turn.preferences);
  const top = letter(option);
  return { ...turn, name, top, tied, ...(before !== undefined && before.top !== top && { was: before.top }) };
}

/** The option's letter, as the library's `OPTION_LETTERS` has it; schemas stay out of the page. */
export const letter = (option: number): string => String.fromCharCode(65 + option);
