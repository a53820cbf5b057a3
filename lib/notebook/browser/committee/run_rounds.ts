import { topOption } from "../../../stats/top_option.ts";
import type { RunEntry, TurnEntry } from "./data.ts";

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
    rounds.push({ round: said[0]!.round, seats: inOrder, spoken, mean: meanOf(inOrder) });
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

const meanOf = (seats: readonly SeatState[]): number[] =>
  seats[0]!.preferences.map((_, k) => seats.reduce((sum, { preferences }) => sum + preferences[k]!, 0) / seats.length);
