import { share } from "../core/numbers.ts";
import { type ComponentName, COMPONENTS } from "../schema/quality_names.ts";

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

/** Black or white, whichever stands out more from a `#rrggbb` or `rgb(r, g, b)` background (relative luminance, WCAG 2). */
export function textOn(background: string): string {
  const parts = background.startsWith("#")
    ? [1, 3, 5].map((start) => parseInt(background.slice(start, start + 2), 16))
    : (background.match(/\d+/g) ?? []).map(Number);
  const [r = 1, g = 1, b = 1] = parts.map((part) => linearLight(part / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#000000" : "#ffffff";
}

const linearLight = (part: number): number => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;

/** How one component of q is told apart in every figure that stacks them. */
export interface ComponentLook {
  readonly name: ComponentName;
  /** Repeats the colour inside an area. */
  readonly number: string;
  readonly colour: string;
}

/** Nine colours in the order of the components; the two beyond the seven are a yellow and a grey, for areas only. */
const PAINT = [
  ...[COLOURS[0], COLOURS[5], COLOURS[2], COLOURS[3], COLOURS[4], COLOURS[6], COLOURS[1]],
  ...["#F0E442", "#767676"],
] as const;

/** Number and colour of each component. */
export const COMPONENT_LOOKS: readonly ComponentLook[] = COMPONENTS.map((name, i) => ({
  ...{ name, number: String(i + 1), colour: PAINT[i]! },
}));

/** A share in percent, to be read out. */
export const percentWords = (part: number | undefined): string =>
  share(part).replace("<", "under ").replace(">", "over ");
