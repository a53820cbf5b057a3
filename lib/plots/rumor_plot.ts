import * as Plot from "@observablehq/plot";
import { countText, fixedText, requireFinite } from "../core/numbers.ts";
import { drawRoundHeadings, LAST_ROUND, requireRound, roundColumns } from "./axes.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, symbolMark } from "./legend.ts";
import { CARD, INK, MUTED, RULE, seriesStyle, type SymbolName, textOn } from "./palette.ts";
import { wrapText } from "./text.ts";

/** What stands in one cell: the heat at the end of the round, and signs with a word each. */
export interface RumorCell {
  /** Absent: not known. */
  readonly heat: number | undefined;
  readonly signs: readonly Sign[][];
}

interface Sign {
  readonly symbol: SymbolName;
  readonly hollow: boolean;
  readonly words: string;
}

const SCALE = Plot.scale({ color: { type: "linear", domain: [0, 1.25], scheme: "oranges" } });

/** White for what is over; deeper is hotter. */
export const heatColour = (heat: number): string => heat === 0 ? CARD : SCALE.apply(heat);

/** The cell of a round; none before the birth, and none after the round in which the rumour ended. */
export function rumorCell(
  { born, heat, cooled = [] }: RumorTrack,
  round: number,
  acts: readonly string[],
  width: number,
): RumorCell | undefined {
  const over = Math.min(...heat.flatMap((one) => one.heat === 0 ? [one.round] : []));
  const known = heat.find((one) => one.round === round);
  const counts = acts.map((act) => cooled.filter((one) => one.round === round && one.act === act).length);
  if (round < born.round || round > over) return undefined;
  const signs: Sign[] = counts.flatMap((count, i) =>
    count === 0 ? [] : [{ symbol: seriesStyle(i).symbol, hollow: false, words: count === 1 ? "" : `×${count}` }]
  );
  const birth: Sign[] = round === born.round
    ? [{ symbol: "circle", hollow: true, words: fixedText(born.heat, 2) }]
    : [];
  const perLine = Math.max(1, Math.floor((width - 8) / SIGN_WIDTH));
  const lines = Array.from(
    { length: Math.ceil(signs.length / perLine) },
    (_, i) => signs.slice(i * perLine, (i + 1) * perLine),
  );
  return { heat: known?.heat, signs: birth.length === 0 ? lines : [birth, ...lines] };
}

/** A symbol and, where there are several, how many. */
const SIGN_WIDTH = 36;

export const cellHeight = ({ signs }: RumorCell): number => (1 + signs.length) * LINE_HEIGHT + 6;

export function drawRumorCell(
  canvas: Canvas,
  cell: RumorCell,
  box: { x1: number; x2: number; y1: number; y2: number },
): void {
  const { heat, signs } = cell;
  const fill = heat === undefined ? CARD : heatColour(heat);
  const edges = { x1: "x1", x2: "x2", y1: "y1", y2: "y2" };
  canvas.marks(Plot.rect([box], { ...edges, fill, stroke: heat ? "none" : RULE }));
  const middle = (box.x1 + box.x2) / 2;
  const top = (box.y1 + box.y2) / 2 - ((1 + signs.length) * LINE_HEIGHT) / 2;
  const ink = heat ? textOn(fill) : MUTED;
  const words = heat === undefined ? "not known" : heat === 0 ? "over" : fixedText(heat, 2);
  canvas.text(words, middle, top + 12, { anchor: "middle", fill: ink, ...(heat ? { weight: "bold" } : {}) });
  signs.forEach((line, row) => {
    const wide = line.some(({ words }) => words !== "") ? SIGN_WIDTH : SIGN_WIDTH / 2;
    line.forEach(({ symbol, hollow, words }, i) => {
      const x = middle + (i - line.length / 2) * wide + (words === "" ? wide / 2 : 8);
      const y = top + (row + 1.5) * LINE_HEIGHT;
      canvas.marks(symbolMark([[x, y]], { colour: hollow ? INK : ink === MUTED ? INK : ink, symbol, hollow }));
      if (words !== "") canvas.text(words, x + 8, y + TEXT_SIZE / 3, { fill: ink });
    });
  });
}

/** One rumour's life. Heat is in [0, 1]; at 0 the rumour is over. */
export interface RumorTrack {
  readonly id: string;
  readonly text?: string | undefined;
  /** Who or what brought it up. */
  readonly from?: string | undefined;
  readonly born: { readonly round: number; readonly heat: number };
  /** Heat at the end of rounds, from the round of its birth on; a round that is absent is not known. */
  readonly heat: readonly { readonly round: number; readonly heat: number }[];
  /** What made it cooler, in the order of happening. */
  readonly cooled?: readonly { readonly round: number; readonly act: string; readonly by: string }[] | undefined;
}

export interface RumorPlotOptions extends FigureOptions {
  /** A row each, in this order. */
  readonly rumors: readonly RumorTrack[];
}

/**
 * The heat of every rumour over the rounds of a station run: a row each, with its birth and what cooled it.
 *
 * Colour repeats the printed heat and never stands alone.
 *
 * @throws {RangeError} when a heat lies outside [0, 1], a round is not from 1 to 6 or lies before the birth, or comes twice.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const heat = [{ round: 1, heat: 0.41 }, { round: 2, heat: 0 }];
 * const cooled = [{ round: 2, act: "fact_check", by: "C4_CIVIL" }];
 * const figure = rumorPlot({ rumors: [{ id: "R0", born: { round: 1, heat: 0.5 }, heat, cooled }], synthetic: true });
 * assert.match(figure.alt, /R0: born in round 1 at 0.50, 0.41 after round 1, over in round 2; cooled by fact check/);
 * ```
 */
export function rumorPlot(options: RumorPlotOptions): Figure {
  const { rumors } = options;
  rumors.forEach(checkTrack);
  const acts = [...new Set(rumors.flatMap(({ cooled = [] }) => cooled.map(({ act }) => act)))];
  const canvas = createCanvas();
  let y = drawLegend(canvas, legendItems(acts), { y: 12 }) + 12;
  if (rumors.length === 0) canvas.text("No rumours to draw.", WIDTH / 2, y + 12, { anchor: "middle", fill: MUTED });
  else drawRoundHeadings(canvas, COLUMNS, y + 6);
  y += rumors.length === 0 ? 2 * LINE_HEIGHT : LINE_HEIGHT;
  for (const rumor of rumors) y = drawTrack(canvas, rumor, acts, y);
  return toFigure(options, {
    kind: "rumors",
    canvas,
    height: y + 8,
    alt: [`Heat of ${countText(rumors.length, "rumour")} over the rounds`, ...rumors.map(trackWords)],
    caption: [
      "Heat of each rumour at the end of each round, from 0 to 1; hollow circles: heat at birth; the signs below a heat are what cooled the rumour in that round",
    ],
    rows: rumors.flatMap(dataRows),
  });
}

const LEFT = 216;
const COLUMNS = roundColumns({ first: 1, left: LEFT, right: 12 });

function checkTrack({ id, born, heat, cooled = [] }: RumorTrack): void {
  for (const { round, heat: value } of [born, ...heat]) {
    requireRound(`the heat of rumour "${id}"`, round);
    requireFinite(`the heat of rumour "${id}"`, value);
    if (value < 0 || value > 1) throw new RangeError(`the heat of rumour "${id}" is ${value}; it must be from 0 to 1`);
    if (round < born.round) throw new RangeError(`rumour "${id}" has a heat in round ${round}, before it was born`);
  }
  const twice = heat.find(({ round }, i) => heat.findIndex((other) => other.round === round) !== i);
  if (twice) throw new RangeError(`rumour "${id}" has two heats for round ${twice.round}: give the one at its end`);
  for (const { round, act } of cooled) requireRound(`"${act}", which cooled rumour "${id}",`, round);
}

/** An act's name as words. */
const actWords = (act: string): string => act.replaceAll("_", " ");

function legendItems(acts: readonly string[]) {
  return [
    ...[0.2, 0.6, 1].map((heat) => ({ label: `heat ${fixedText(heat, 1)}`, colour: heatColour(heat), area: 1 })),
    { label: "at birth", colour: INK, symbol: "circle" as const, hollow: true },
    ...acts.map((act, i) => ({ label: actWords(act), colour: INK, symbol: seriesStyle(i).symbol })),
  ];
}

function drawTrack(canvas: Canvas, rumor: RumorTrack, acts: readonly string[], y: number): number {
  const width = LEFT - 32;
  const heading = wrapText(rumor.from === undefined ? rumor.id : `${rumor.id}, ${rumor.from}`, width, BOLD_SIZE, 2);
  const words = rumor.text === undefined ? [] : wrapText(rumor.text, width, TEXT_SIZE, 4);
  const cells = Array.from({ length: LAST_ROUND }, (_, i) => rumorCell(rumor, i + 1, acts, COLUMNS.width));
  const lines = (heading.length + words.length) * LINE_HEIGHT;
  const height = Math.max(lines, ...cells.map((cell) => cell === undefined ? 0 : cellHeight(cell))) + 12;
  const below = canvas.lines(heading, 16, y + (height - lines) / 2 + 12, { weight: "bold" });
  canvas.lines(words, 16, below);
  cells.forEach((cell: RumorCell | undefined, i) => {
    const box = {
      x1: LEFT + i * COLUMNS.width + 1,
      x2: LEFT + (i + 1) * COLUMNS.width - 1,
      y1: y + 2,
      y2: y + height - 2,
    };
    if (cell !== undefined) drawRumorCell(canvas, cell, box);
  });
  canvas.marks(Plot.ruleY([y + height], { x1: 16, x2: WIDTH - 12, stroke: RULE }));
  return y + height;
}

function trackWords({ id, text, from, born, heat, cooled = [] }: RumorTrack): string {
  const known = heat.toSorted((a, b) => a.round - b.round);
  const over = known.findIndex((one) => one.heat === 0);
  const shown = over < 0 ? known : known.slice(0, over + 1);
  const heats = shown.map((one) =>
    one.heat === 0 ? `over in round ${one.round}` : `${fixedText(one.heat, 2)} after round ${one.round}`
  );
  const acts = cooled.map(({ act, by, round }) => `${actWords(act)} of ${by} in round ${round}`);
  return [
    `${id}${from === undefined ? "" : ` from ${from}`}${text === undefined ? "" : ` (${text})`}: ${
      [`born in round ${born.round} at ${fixedText(born.heat, 2)}`, ...heats].join(", ")
    }`,
    acts.length === 0 ? "cooled by nothing" : `cooled by ${acts.join(", ")}`,
  ].join("; ");
}

function dataRows({ id, text, from, born, heat, cooled = [] }: RumorTrack): Figure["rows"] {
  const rounds = [...new Set([born, ...heat, ...cooled].map(({ round }) => round))].sort((a, b) => a - b);
  return rounds.map((round) => ({
    ...{ rumor: id, from, text, round, born: round === born.round ? born.heat : undefined },
    heat: heat.find((one) => one.round === round)?.heat,
    cooled: cooled.filter((one) => one.round === round).map(({ act, by }) => `${act} ${by}`).join(", "),
  }));
}
