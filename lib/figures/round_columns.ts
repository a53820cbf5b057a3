import * as Plot from "@observablehq/plot";
import { type Canvas, WIDTH } from "./canvas.ts";
import { RULE } from "./palette.ts";

/** Rounds of a station run; round 0 is the start, before the first. */
export const LAST_ROUND = 6;

/** Columns of equal width for the rounds from `first` to the last, in pixels of the card. */
export interface RoundColumns {
  readonly first: number;
  readonly width: number;
  readonly left: number;
  /** The middle of a round's column. */
  middle(round: number): number;
}

export function roundColumns({ first, left, right }: { first: 0 | 1; left: number; right: number }): RoundColumns {
  const width = (WIDTH - left - right) / (LAST_ROUND + 1 - first);
  return { first, width, left, middle: (round) => left + (round - first + 0.5) * width };
}

/** The rounds' numbers above their columns, in bold. */
export function drawRoundHeadings(canvas: Canvas, columns: RoundColumns, y: number): void {
  for (let round = columns.first; round <= LAST_ROUND; round++) {
    const heading = round === 0 ? "start" : `round ${round}`;
    canvas.text(heading, columns.middle(round), y, { anchor: "middle", weight: "bold" });
  }
}

/** Thin lines between the columns. */
export function drawColumnRules(canvas: Canvas, { first, left, width }: RoundColumns, top: number, bottom: number) {
  const borders = Array.from({ length: LAST_ROUND - first }, (_, i) => left + (i + 1) * width);
  canvas.marks(Plot.ruleX(borders, { y1: top, y2: bottom, stroke: RULE }));
}

/** @throws {RangeError} naming `what` unless the round is a whole number from `first` to the last. */
export function requireRound(what: string, round: number, first: 0 | 1 = 1): void {
  if (Number.isInteger(round) && round >= first && round <= LAST_ROUND) return;
  throw new RangeError(`${what} is in round ${round}; rounds are whole numbers from ${first} to ${LAST_ROUND}`);
}
