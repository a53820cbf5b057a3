import * as Plot from "@observablehq/plot";
import { type Canvas, WIDTH } from "./canvas.ts";
import { RULE } from "./palette.ts";

/**
 * Ticks that enclose the values on a logarithmic axis: 1, 2 and 5 times powers of ten, or only the powers (and only
 * every so many) where more than three decades are spanned. The first and the last are the axis' ends.
 *
 * @param values finite and above zero.
 */
export function logTicks(values: readonly number[]): number[] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const from = Math.floor(Math.log10(low));
  const to = Math.ceil(Math.log10(high));
  if (to - from > 3) {
    const stride = Math.ceil((to - from) / 8);
    const powers = Math.ceil((to - from) / stride) + 1;
    return Array.from({ length: powers }, (_, i) => Number(`1e${from + i * stride}`));
  }
  const ticks = [];
  for (let power = from - 1; power <= to + 1; power++) {
    ticks.push(...[1, 2, 5].map((step) => Number(`${step}e${power}`)));
  }
  const first = ticks.findLastIndex((tick) => tick <= low);
  const last = ticks.findIndex((tick) => tick >= high);
  return ticks.slice(first, Math.max(last, first + 1) + 1);
}

/** The axis of rounds, 1-based: at most `most` ticks, the first of them round 1. */
export function roundAxis(rounds: number, { most = 20, label = "Round t" } = {}): Plot.ScaleOptions {
  return {
    ...{ domain: [0.5, rounds + 0.5], ticks: roundTicks(rounds, most), tickFormat: String },
    ...{ label, labelAnchor: "center", labelArrow: "none" },
  };
}

function roundTicks(rounds: number, most: number): number[] {
  const stride = [1, 2, 5, 10, 20, 50, 100].find((step) => rounds / step <= most) ?? Math.ceil(rounds / most);
  const ticks = Array.from({ length: Math.floor(rounds / stride) }, (_, i) => (i + 1) * stride);
  return stride === 1 || rounds < 1 ? ticks : [1, ...ticks];
}

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
