import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { ticks as linearTicks } from "d3-array";
import { distance } from "fastest-levenshtein";
import { nearest } from "../../core/user_error.ts";
import { columnAxes, inOrder, namedAxes, needsLegend } from "./axis_defaults.ts";
import { type Canvas, createCanvas, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawScaleLegends, type LegendOptions } from "./legend.ts";
import { CARD } from "./palette.ts";
import { describe, type Drawn, flatMarks, isEmpty, markRows, NO_DATA, recordLists, unshown } from "./plot_words.ts";
import { seriesColours, seriesStyle, styleSeries } from "./series.ts";
import { hasLinesToName, withWords } from "./hover.ts";
import { fontWidth, inertLetters, overlappingTexts, TEXT_SIZE, textBoxes, upright, wrapText } from "./text.ts";

/** Observable Plot's own options, and what a figure needs besides its marks. */
export type PlotFigureOptions = Plot.PlotOptions & FigureOptions & {
  /** The data behind the picture, for CSV. Default: the records that the marks draw. */
  readonly rows?: Figure["rows"] | undefined;
  /** Pixels from edge to edge. Default 720. */
  readonly width?: number | undefined;
  /** Pixels. Default 12. */
  readonly fontSize?: number | undefined;
};

/** Below this width of the page a figure is drawn anew, not shrunk. */
export const NARROW = 600;
const NARROW_WIDTH = 400;

/**
 * A figure from Observable Plot's own options: any marks, scales, facets and projections that need no browser.
 *
 * It adds the theme, a legend inside the picture where colours need one (or as `color: { legend: false }` and
 * `symbol: { legend: true }` say), the axes of the library's own columns (`round`, `D` on a logarithmic scale, `lambda`,
 * `delta`, `beta`), named rows in the order of the data, margins that hold the labels, plain numbers on logarithmic axes, dashes and symbols that tell series apart without colour,
 * the alt text, the data as CSV, and a second drawing for pages narrower than 600 pixels.
 *
 * @throws {RangeError} on what cannot be drawn without a browser: tips that follow a pointer, marks that need a canvas,
 * links, pictures from elsewhere. On a name that is not file-safe.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import * as Plot from "@observablehq/plot";
 *
 * const rows = [{ round: 1, D: 0.02 }, { round: 2, D: 0.03 }];
 * const figure = plotFigure({ name: "growth", synthetic: true, marks: [Plot.lineY(rows, { x: "round", y: "D" })] });
 * assert.match(figure.alt, /D\(t\), 0.02 to 0.03/);
 * ```
 */
export function plotFigure(options: PlotFigureOptions): Figure {
  const { width = WIDTH, fontSize = TEXT_SIZE, rows = markRows(options.marks) } = options;
  refuseInteraction(options);
  refuseMisspelt(options);
  const wide = draw(options, width, fontSize);
  const title = typeof options.title === "string" ? options.title : undefined;
  const left = wide.unshown, { alt, caption } = options;
  const also = (words: string) => left === undefined ? words : `${words.replace(/([^.!?])$/, "$1.")} ${left}`.trim();
  const told = { ...options, ...(left && { caption: also(caption ?? ""), ...(alt && { alt: also(alt) }) }) };
  const figure = toFigure(told, { canvas: wide.canvas, height: wide.height, title, alt: wide.words, rows });
  if (width < NARROW) return figure;
  const narrow = draw(options, NARROW_WIDTH, fontSize);
  const svg = narrow.canvas.toSvg(narrow.height, figure.alt);
  return narrow.fits ? { ...figure, narrow: svg } : figure;
}

/** Lines are named at their ends if there are at most so many. */
const MOST_NAMES = 5;

/** The picture, with its lines named at their ends where no legend is asked for; where they cannot be, with a legend. */
function draw(options: PlotFigureOptions, width: number, textSize: number) {
  const { color, marks } = options;
  if (color?.legend !== undefined || !hasLinesToName(marks)) return drawAs(options, width, textSize, false);
  const named = drawAs(options, width, textSize, true);
  return named.named && named.fits ? named : drawAs(options, width, textSize, false);
}

function drawAs(options: PlotFigureOptions, width: number, textSize: number, withNames: boolean) {
  const canvas = createCanvas(width, textSize), { document } = canvas;
  let y = 8;
  if (typeof options.title === "string") y = canvas.title(options.title, y);
  if (typeof options.subtitle === "string") {
    y = canvas.lines(wrapText(options.subtitle, width - 32, textSize * 1.1), 16, y + textSize) - textSize + 4;
  }
  const plain = columnAxes(themed(options, width)), format = options.color?.tickFormat, series = new Set<unknown>();
  const told = (draw: boolean) => ({ document, marks: withWords(options.marks, { draw, format, series }) });
  // Drawn once for the scales, once for the sizes of the labels, once to stay.
  const first = drawPlot({ ...BASE, ...plain, ...told(false) }, textSize);
  const names = withNames && canName(first, series, width, textSize);
  const ordered = { ...plain, ...namedAxes(plain, first) };
  const { colours, ...defaults } = scaleDefaults(ordered, first), settings = { ...ordered, ...defaults };
  const measured = drawPlot({ ...BASE, ...settings, ...told(names) }, textSize);
  const room = roomFor(settings, measured, textSize);
  const height = heightFor({ ...settings, ...room }, measured, textSize);
  const svg = drawPlot({ ...settings, ...room, ...height, ...told(names) }, textSize);
  if (colours) styleSeries(svg, colours.map((colour, i) => ({ ...seriesStyle(i), colour })));
  const words = describe(svg, options), left = unshown(svg, options.marks);
  const legend = options.color?.legend ?? (!names && needsLegend(options.marks, first));
  const bottom = compose(canvas, svg, { colours, options: { ...options, color: { ...options.color, legend } }, y });
  // The card gets its size of letters last, when it is written out.
  const inside = textBoxes(canvas.root, textSize).every(({ left, right }) => left >= 0 && right <= width);
  const fits = inside && overlappingTexts(canvas.root, textSize).length === 0;
  return { canvas, height: bottom, words, unshown: left, fits, named: names };
}

/** True where every colour is that of a line, and the names of all have room beside a picture that is wide enough. */
function canName(drawn: Drawn, series: ReadonlySet<unknown>, width: number, textSize: number): boolean {
  const scale = drawn.scale("color"), all = [...scale?.domain ?? []].filter((value) => value !== undefined);
  if (!/ordinal|categorical/.test(scale?.type ?? "") || drawn.scale("fx") || series.size > MOST_NAMES) return false;
  return all.every((name) => series.has(name) && fontWidth(String(name)) * textSize < 0.4 * width);
}

/** Puts legends and picture on the card; returns its height. */
function compose(
  canvas: Canvas,
  svg: Drawn,
  { colours, options, y }: {
    colours?: readonly string[] | undefined;
    options: LegendOptions & { name: string; marks?: Plot.PlotOptions["marks"] };
    y: number;
  },
): number {
  const top = drawScaleLegends(canvas, svg, { colours, options, y: y + 4 });
  const [empty, height] = [isEmpty(svg, options.marks), Number(svg.getAttribute("height"))];
  makeInert(svg, options.name);
  canvas.embed(svg, 0, top);
  if (empty) canvas.text(NO_DATA, canvas.width / 2, top + height / 2, { anchor: "middle", weight: "bold" });
  return top + height;
}

/**
 * A figure from the result of `Plot.plot({ document })`, for trying. Neither its runs nor their origin are declared,
 * and its caption says so.
 */
export function elementFigure(element: Element): Figure {
  const part = (selector: string) => element.nodeName === "svg" ? null : element.querySelector(`:scope > ${selector}`);
  // The picture of a legend may stand before that of the plot.
  const svg = (element.nodeName === "svg" ? element : [...element.querySelectorAll(":scope > svg")].at(-1)) as
    | Drawn
    | undefined;
  if (svg === undefined) throw new RangeError("the element holds no picture; show() takes what Plot.plot() gave");
  const plot = element as unknown as Plot.Plot;
  svg.scale ??= plot.scale.bind(plot);
  const size = Number.parseFloat(svg.getAttribute("font-size") ?? "10");
  const canvas = createCanvas(Number(svg.getAttribute("width")), size);
  const legend = element.nodeName !== "svg" && element.querySelector("[class*=swatches], [class*=ramp]") !== null;
  const label = part("svg[class*=ramp]")?.querySelector('[font-weight="bold"]')?.textContent ?? null;
  const options = { name: "plot", ...(legend && { color: { legend: true, label } }) };
  const [title, caption] = [part("h2"), part("figcaption")].map((one) => one?.textContent?.trim() || undefined);
  const y = title === undefined ? 0 : canvas.title(title, 8);
  const alt = describe(svg, { ...options, title: title ?? null }), height = compose(canvas, svg, { options, y });
  const words = caption === undefined ? UNDECLARED : `${caption.replace(/[.!?]?$/, ".")} ${UNDECLARED}`;
  const declared = { name: "plot", synthetic: false, caption: words };
  return { ...toFigure(declared, { canvas, height, title, alt, rows: [] }), synthetic: undefined };
}

/** The caption of a bare Plot element; a stored notebook may not hold one. */
const UNDECLARED = "Drawn from data that are not declared: plot() with `about` says which runs these are";

/** Options that the figure serves itself. */
const OWN = ["name", "synthetic", "context", "caption", "alt", "rows", "fontSize", "title", "subtitle"];

/** Plot's options without those that the figure serves itself, and without legends. */
function themed(options: PlotFigureOptions, width: number): Plot.PlotOptions {
  const plot = Object.entries(options).filter(([name]) => !OWN.includes(name)).map(([name, value]) =>
    ["color", "symbol", "opacity"].includes(name) && value ? [name, { ...value, legend: false }] : [name, value]
  );
  return { ...Object.fromEntries(plot), width, figure: false };
}

/** Draws, with what Plot puts off to the next frame of a browser (the boxes of tips) done at once. */
function drawPlot(options: Plot.PlotOptions, textSize: number): Drawn {
  const later: FrameRequestCallback[] = [];
  const global = globalThis as { requestAnimationFrame?: (callback: FrameRequestCallback) => number };
  const before = global.requestAnimationFrame;
  global.requestAnimationFrame = (callback) => later.push(callback);
  try {
    const svg = Plot.plot(options) as Drawn;
    svg.setAttribute("font-size", String(textSize));
    for (const callback of later) callback(0);
    return svg;
  } catch (error) {
    if (!/getContext|OffscreenCanvas|createImageData|is not a constructor/.test(String(error))) throw error;
    throw new RangeError("a mark needs a canvas (Plot.raster, Plot.contour over rasters), which only a browser has");
  } finally {
    if (before === undefined) delete global.requestAnimationFrame;
    else global.requestAnimationFrame = before;
  }
}

/** Margins of a first drawing, which tells how far the labels reach. */
const BASE = { marginTop: 40, marginRight: 40, marginBottom: 50, marginLeft: 60 };

/** Margins that hold every label of what was drawn with `BASE`; those the caller gave stay. */
function roomFor(options: Plot.PlotOptions, drawn: Drawn, textSize: number): Plot.PlotOptions {
  if (options.margin !== undefined) return {};
  const has = (label: string) => drawn.querySelector(`g[aria-label="${label}"]`) !== null;
  const [width, height] = [Number(drawn.getAttribute("width")), Number(drawn.getAttribute("height"))];
  // The names of the axes stand at the edges of the card, wherever those are.
  for (const name of drawn.querySelectorAll('g[aria-label$="-axis label"]')) name.setAttribute("visibility", "hidden");
  const { left, right, bottom } = upright(textBoxes(drawn).flatMap(({ corners }) => corners));
  const head = (has("y-axis label") || has("fx-axis label") ? 2.5 : 1) + (has("fx-axis tick label") ? 1.5 : 0);
  const foot = has("x-axis label") ? 3.7 : has("x-axis tick label") ? 2.2 : 1, name = has("x-axis label") ? 1.6 : 0;
  const margins = {
    marginTop: textSize * head,
    marginBottom: Math.max(textSize * foot, BASE.marginBottom + 4 + bottom - height + textSize * name),
    marginLeft: Math.max(textSize * 1.5, BASE.marginLeft + 4 - Math.min(width, left)),
    marginRight: Math.max(textSize * 1.5, BASE.marginRight + 4 + Math.max(0, right) - width),
  };
  const kept = Object.entries(margins).map(([side, margin]) => {
    // A label longer than half the card is the caller's to shorten.
    return [side, options[side as keyof typeof margins] ?? Math.ceil(Math.min(margin, width / 2))];
  });
  return Object.fromEntries(kept);
}

/**
 * The height where the caller gives none: named rows stand as far apart as lines of text that are read one by one, and
 * `aspectRatio` is kept. Plot works both out with its own margins, not with those that hold the labels.
 */
function heightFor(options: Plot.PlotOptions, drawn: Drawn, textSize: number): Plot.PlotOptions {
  const { aspectRatio, width = WIDTH, marginTop = 0, marginRight = 0, marginBottom = 0, marginLeft = 0 } = options;
  const [x, y] = [drawn.scale("x"), drawn.scale("y")];
  if (options.height !== undefined || drawn.scale("fy") !== undefined) return {};
  if (!aspectRatio && /band|point/.test(y?.type ?? "")) {
    const rows = [...y!.domain!].length, margins = (marginTop + marginBottom) / textSize;
    return { height: Math.ceil(Math.max(rows * 2.4 + 5, rows * 1.6 + margins) * textSize) };
  }
  if (!aspectRatio || options.margin !== undefined || drawn.scale("fx") !== undefined) return {};
  if (x?.type !== "linear" || y?.type !== "linear") return {};
  const length = ({ domain = [] }: Plot.Scale) => Math.abs(Number([...domain].at(-1)) - Number([...domain][0]));
  const inner = (width - marginLeft - marginRight) * length(y) / length(x) / Number(aspectRatio);
  return { height: Math.round(inner + marginTop + marginBottom) };
}

/**
 * Improvements on Plot's own defaults: plain numbers at 1, 2 and 5 on logarithmic axes (Plot writes 0.1 as "100m"),
 * the name of an axis of named rows above them (Plot writes it across them), series in the order of the data, and
 * colours that the colour-blind can tell apart.
 */
function scaleDefaults(options: Plot.PlotOptions, drawn: Drawn): Plot.PlotOptions & { colours?: readonly string[] } {
  const axes = (["x", "y"] as const).flatMap((name) => {
    const [given, scale] = [options[name], drawn.scale(name)];
    if (scale?.type !== "log") return [];
    const domain = scale.domain as number[];
    const [low, high] = [Math.min(...domain), Math.max(...domain)];
    const inside = logTicks(domain).filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
    // Within half a decade there is room for evenly spaced numbers.
    const ticks = inside.length > 2 ? inside : linearTicks(low, high, 4);
    const tickFormat = (tick: number) => String(Number(tick.toPrecision(6)));
    return [[name, { base: NEARLY_TEN, ticks, tickFormat, ...given }]];
  });
  const named = (["y", "fy"] as const).filter((name) => /band|point/.test(drawn.scale(name)?.type ?? ""))
    .map((name) => [name, { labelAnchor: "top", labelArrow: "none", ...options[name] }]);
  const colours = seriesColours(drawn, options.color), { scheme, range, interpolate } = options.color ?? {};
  const domain = colours && (options.color?.domain ?? inOrder([...drawn.scale("color")!.domain!], options.marks));
  return {
    ...Object.fromEntries([...axes, ...named]),
    ...(colours && { color: { ...options.color, domain: domain!, range: colours }, colours }),
    // Numbers that are coloured, where the caller does not say how.
    ...(drawn.scale("color")?.type === "linear" && !scheme && !range && !interpolate &&
      { color: { ...options.color, scheme: "blues" } }),
  };
}

/**
 * Ticks that enclose the values on a logarithmic axis: 1, 2 and 5 times powers of ten, or only the powers (and only
 * every so many) where more than three decades are spanned. The first and the last are the axis' ends.
 *
 * @param values finite and above zero.
 */
export function logTicks(values: readonly number[]): number[] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  if (to - from > 3) {
    const stride = Math.ceil((to - from) / 8), powers = Math.ceil((to - from) / stride) + 1;
    return Array.from({ length: powers }, (_, i) => Number(`1e${from + i * stride}`));
  }
  const ticks = Array.from({ length: to - from + 3 }, (_, i) => from - 1 + i)
    .flatMap((power) => [1, 2, 5].map((step) => Number(`${step}e${power}`)));
  const first = ticks.findLastIndex((tick) => tick <= low), last = ticks.findIndex((tick) => tick >= high);
  return ticks.slice(first, Math.max(last, first + 1) + 1);
}

/** At a base of exactly ten D3 leaves ticks at 5 without a label, also where every tick is asked for. */
const NEARLY_TEN = 10 - 1e-9;

function refuseInteraction({ name, marks }: PlotFigureOptions): void {
  for (const { tip, constructor } of flatMarks(marks)) {
    if (tip !== undefined && tip !== null && tip !== false && constructor?.name !== "Tip") {
      throw new RangeError(
        `figure ${name}: \`tip\` waits for a pointer, which a still picture has not; write the values with Plot.text or Plot.tip`,
      );
    }
  }
}

/**
 * A mark that reads a column which no row has draws nothing: where the name is nearly that of a column, it is refused.
 * Other names may stand for values that are unknown in all rows.
 */
function refuseMisspelt(options: PlotFigureOptions): void {
  for (const mark of flatMarks(options.marks)) {
    const [rows = []] = recordLists([mark] as unknown as Plot.Markish[]);
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const read = Object.entries({ ...mark.channels, fx: { value: mark.fx }, fy: { value: mark.fy } });
    for (const [channel, { value }] of read) {
      const column = labelOf(value);
      if (typeof column !== "string" || rows.length === 0 || rows.some((row) => Object.hasOwn(row, column))) continue;
      const [best = ""] = nearest(column, columns, { count: 1 });
      if (distance(best.toLowerCase(), column.toLowerCase()) > Math.floor(column.length / 3)) continue;
      // A transform gives its results names of its own; bars begin at zero whatever they stand for.
      const made = value !== column;
      if (made && (channel.endsWith("1") || anyOf(mark.initialize(undefined, {}, options).channels[channel]))) continue;
      throw new RangeError(
        `figure ${options.name}: ${made ? channel.replace("2", "") : channel}: ${JSON.stringify(column)}; columns are ${
          columns.join(", ")
        }`,
      );
    }
  }
}

const anyOf = (channel: { value: ArrayLike<unknown> } | undefined): boolean =>
  Array.from(channel?.value ?? []).some((value) => value);

/** The column that a channel reads, also through a transform such as a stack. */
const labelOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "transform" in value ? (value as { label?: unknown }).label : value;

/**
 * Leaves a picture that means the same wherever it is shown and can do nothing: no link, script, style or foreign file,
 * and ids that begin with the figure's name, so that two figures on a page cannot cut each other.
 */
function makeInert(svg: Element, name: string): void {
  if (svg.querySelector("a") !== null) {
    throw new RangeError(`figure ${name}: a still picture holds no links; leave href out`);
  }
  for (const image of svg.querySelectorAll("image")) {
    if (!/^data:image\//.test(image.getAttribute("href") ?? "")) {
      throw new RangeError(`figure ${name}: pictures must come as data: URLs, since a saved page fetches nothing`);
    }
  }
  for (const extra of svg.querySelectorAll("script, foreignObject")) extra.remove();
  for (const title of svg.querySelectorAll("title")) {
    title.textContent = (title.textContent ?? "").split("\n").map(inertLetters).join("\n");
  }
  const ids = new Map<string, string>();
  for (const element of svg.querySelectorAll("[id]")) {
    const id = `${name}-${ids.size + 1}`;
    ids.set(element.getAttribute("id")!, id);
    element.setAttribute("id", id);
  }
  for (const element of svg.querySelectorAll("*")) {
    for (const { name: attribute, value } of [...element.attributes]) {
      if (attribute === "class" || attribute === "style") element.removeAttribute(attribute);
      else if (value.includes("--plot-background")) element.setAttribute(attribute, CARD);
      else if (attribute === "filter") element.removeAttribute(attribute);
      else if (value.startsWith("url(#")) element.setAttribute(attribute, `url(#${ids.get(value.slice(5, -1))})`);
    }
  }
}
