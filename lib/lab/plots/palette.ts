/** Dark text on a white card: the only pair that stays readable under every notebook theme. */
export const INK = "#1f1f1f";
export const CARD = "#ffffff";
/** Colours of the background: grids, notes, undefined cells. */
export const MUTED = "#595959";
export const RULE = "#d9d9d9";
export const SHADE = "#f0f0f0";

/** Okabe and Ito's colour-blind-safe colours, darkest contrast on white first; their yellow is too pale for a line. */
export const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"] as const;
