/** Dark text on a white card: the only pair that stays readable under every notebook theme. */
export const INK = "#1f1f1f";
export const CARD = "#ffffff";
/** For what stands in the background: grids, notes, undefined cells. */
export const MUTED = "#595959";
export const RULE = "#d9d9d9";
export const SHADE = "#f0f0f0";

/** Okabe and Ito's colour-blind-safe colours, darkest contrast on white first; their yellow is too pale for a line. */
export const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"] as const;

const SYMBOLS = ["circle", "square", "triangle", "diamond", "cross", "star", "wye"] as const;
const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "14 4"] as const;

export type SymbolName = typeof SYMBOLS[number] | "times";

/** How one series is told apart: by colour, and by shape and dash for those who do not see the colour. */
export interface SeriesStyle {
  readonly colour: string;
  readonly symbol: SymbolName;
  readonly dash: string;
}

/** The style of series `index`; colours come back after seven, then with another symbol and dash. */
export function seriesStyle(index: number): SeriesStyle {
  const turn = Math.floor(index / COLOURS.length);
  return {
    colour: COLOURS[index % COLOURS.length]!,
    symbol: SYMBOLS[(index + turn) % SYMBOLS.length]!,
    dash: DASHES[(index + turn) % DASHES.length]!,
  };
}
