import * as Plot from "@observablehq/plot";
import { type Canvas, LINE_HEIGHT, TEXT_SIZE } from "./canvas.ts";
import { symbolMark } from "./legend.ts";
import { fixedText } from "./number_text.ts";
import { CARD, INK, MUTED, RULE, seriesStyle, type SymbolName, textOn } from "./palette.ts";
import type { RumorTrack } from "./rumor_plot.ts";

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
