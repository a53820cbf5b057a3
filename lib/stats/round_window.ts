/** The rounds a slope is fitted over, 1-based and both inclusive. The deliberation paper uses 3 to 20. */
export interface RoundWindow {
  readonly from: number;
  readonly to: number;
}

/** A window as an option: what is left out is 3 or 20. */
export interface WindowOptions {
  from?: number | undefined;
  to?: number | undefined;
}

/** @throws {RangeError} when the window is not a range of whole rounds within 1…`rounds`. */
export function checkWindow({ from, to }: RoundWindow, rounds: number): void {
  for (const [name, round] of [["from", from], ["to", to]] as const) {
    if (!Number.isInteger(round) || round < 1) {
      throw new RangeError(`${name} is ${round}: must be a whole round, counted from 1`);
    }
  }
  if (from > to) throw new RangeError(`from is ${from}, to is ${to}: the window must not end before it starts`);
  if (to > rounds) {
    throw new RangeError(`to is ${to}, beyond the last round, ${rounds}: pass a \`to\` of at most ${rounds}`);
  }
}

/** The rounds of a window, in order. */
export function windowRounds({ from, to }: RoundWindow): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
