import * as Plot from "@observablehq/plot";
import { fixedText } from "../core/numbers.ts";
import { type Canvas, createCanvas, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { logTicks } from "./axes.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { PUBLISHED } from "./marks.ts";
import { CARD, seriesStyle } from "./palette.ts";
import { drawScaleLegends, isUsed, type LegendOptions } from "./scale_legend.ts";
import { seriesColours, styleSeries } from "./series_marks.ts";
import { overlappingTexts, textBoxes } from "./text_boxes.ts";
import { wrapText } from "./text.ts";

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
 * What is added: the theme, a legend inside the picture (`color: { legend: true }`, `symbol: { legend: true }`), margins
 * that hold the labels, plain numbers on logarithmic axes, dashes and symbols that tell series apart without colour, the
 * alt text, the data as CSV, and a second drawing for pages narrower than 600 pixels.
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
 * assert.match(figure.alt, /D, 0.02 to 0.03/);
 * ```
 */
export function plotFigure(options: PlotFigureOptions): Figure {
  const { width = WIDTH, fontSize = TEXT_SIZE, rows = markRows(options.marks) } = options;
  refuseInteraction(options);
  const wide = draw(options, width, fontSize);
  const figure = toFigure(options, { canvas: wide.canvas, height: wide.height, alt: wide.words, rows });
  if (width < NARROW) return figure;
  const narrow = draw(options, NARROW_WIDTH, fontSize);
  const svg = narrow.canvas.toSvg(narrow.height, figure.alt);
  return narrow.fits ? { ...figure, narrow: svg } : figure;
}

function draw(options: PlotFigureOptions, width: number, textSize: number) {
  const canvas = createCanvas({ width, textSize });
  const { document } = canvas;
  let y = 8;
  for (const [text, weight] of [[options.title, "bold"], [options.subtitle, undefined]] as const) {
    if (typeof text !== "string") continue;
    const lines = wrapText(text, width - 32, textSize * 1.1);
    y = canvas.lines(lines, 16, y + textSize, { ...(weight && { weight }) }) - textSize + 4;
  }
  const plain = themed(options, width);
  // Once for the scales, once for the labels' sizes, once as it stays.
  const first = drawPlot({ ...BASE, ...plain, document }, textSize);
  const { colours, ...defaults } = scaleDefaults(plain, first);
  const settings = { ...plain, ...defaults };
  const measured = drawPlot({ ...BASE, ...settings, document }, textSize);
  const room = roomFor(settings, measured, textSize);
  const height = heightFor({ ...settings, ...room }, measured, textSize);
  const svg = drawPlot({ ...settings, ...room, ...height, document }, textSize);
  if (colours) styleSeries(svg, colours.map((colour, i) => ({ ...seriesStyle(i), colour })));
  const words = describe(svg, options);
  const bottom = compose(canvas, svg, { colours, options, y });
  // The card gets its size of letters last, when it is written out.
  const inside = textBoxes(canvas.root, textSize).every(({ left, right }) => left >= 0 && right <= width);
  return { canvas, height: bottom, words, fits: inside && overlappingTexts(canvas.root, textSize).length === 0 };
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
  const top = drawScaleLegends(canvas, { svg, colours, options, y: y + 4 });
  const [empty, height] = [isEmpty(svg, options.marks), Number(svg.getAttribute("height"))];
  makeInert(svg, options.name);
  canvas.embed(svg, 0, top);
  if (empty) {
    canvas.text(NO_DATA, canvas.width / 2, top + height / 2, { anchor: "middle", weight: "bold" });
  }
  return top + height;
}

/** What a panel says in which nothing was measured, and its alt text. */
const NO_DATA = "No usable data";

/** Whether none of the marks that stand for data has drawn anything. What others published is no sign of data. */
function isEmpty(svg: Element, marks: Plot.PlotOptions["marks"] = []): boolean {
  const isData = (label: string | null | undefined) => !SCENERY.test(label ?? "") && label !== PUBLISHED;
  // A figure of rules alone, or of published values alone, is one of data.
  if (!flat(marks).some((mark) => isData((mark as { ariaLabel?: string }).ariaLabel))) return false;
  return ![...svg.querySelectorAll("g[aria-label]")].some((group) =>
    isData(group.getAttribute("aria-label")) && group.querySelector("path, circle, rect, line, text, image") !== null
  );
}

/** Marks that stand there whatever the data are. */
const SCENERY = /axis|grid|frame|rule/;

/**
 * A figure from what `Plot.plot({ document })` gave, as it stands: for trying. It knows neither its runs nor whether they
 * are synthetic, so its caption says that.
 */
export function elementFigure(element: Element): Figure {
  const svg = (element.nodeName === "svg" ? element : element.querySelector(":scope > svg")) as Drawn | null;
  if (svg === null) throw new RangeError("the element holds no picture; show() takes what Plot.plot() gave");
  const plot = element as unknown as Plot.Plot;
  const drawn = svg as Drawn;
  drawn.scale ??= plot.scale.bind(plot);
  const size = Number.parseFloat(svg.getAttribute("font-size") ?? "10");
  const canvas = createCanvas({ width: Number(svg.getAttribute("width")), textSize: size });
  const legend = element.nodeName !== "svg" && element.querySelector("[class*=swatches], [class*=ramp]") !== null;
  const options = { name: "plot", ...(legend && { color: { legend: true } }) };
  const words = describe(drawn, options);
  const height = compose(canvas, drawn, { options, y: 0 });
  const figure = toFigure({ name: "plot", synthetic: false, caption: UNDECLARED }, {
    canvas,
    height,
    alt: words,
    rows: [],
  });
  return { ...figure, synthetic: undefined };
}

/** The caption of a bare Plot element; a stored notebook may not hold one. */
export const UNDECLARED = "Drawn from data that are not declared: plot() with `about` says which runs these are";

/** Plot's options without what the figure does itself. */
function themed(options: PlotFigureOptions, width: number): Plot.PlotOptions {
  const { name: _name, synthetic: _, context: __, caption: ___, alt: _alt, rows: _rows, fontSize: _size, ...plot } =
    options;
  const { title: _title, subtitle: _subtitle, ...rest } = plot;
  const scale = (given: Plot.ScaleOptions | undefined) => given && { ...given, legend: false };
  return {
    ...rest,
    ...{ width, figure: false },
    ...(options.color && { color: scale(options.color) as Plot.ScaleOptions }),
    ...(options.symbol && { symbol: scale(options.symbol) as Plot.ScaleOptions }),
    ...(options.opacity && { opacity: scale(options.opacity) as Plot.ScaleOptions }),
  };
}

type Drawn = SVGSVGElement & Plot.Plot;

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
    if (
      error instanceof Error && /getContext|OffscreenCanvas|createImageData|is not a constructor/.test(error.message)
    ) {
      throw new RangeError("a mark needs a canvas (Plot.raster, Plot.contour over rasters), which only a browser has");
    }
    throw error;
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
  const boxes = textBoxes(drawn);
  const reach = (pick: (box: typeof boxes[number]) => number) => Math.max(0, ...boxes.map(pick));
  const fx = has("fx-axis tick label") ? 1.5 : 0;
  const margins = {
    marginTop: textSize * ((has("y-axis label") || has("fx-axis label") ? 2.5 : 1) + fx),
    marginBottom: Math.max(
      textSize * (has("x-axis label") ? 3.7 : has("x-axis tick label") ? 2.2 : 1),
      BASE.marginBottom + reach(({ bottom }) => bottom - height) + 4,
    ),
    marginLeft: Math.max(textSize * 1.5, BASE.marginLeft + 4 - Math.min(width, ...boxes.map(({ left }) => left))),
    marginRight: Math.max(
      textSize * 1.5,
      BASE.marginRight + 4 + Math.max(0, ...boxes.map(({ right }) => right)) - width,
    ),
  };
  // A label longer than half the card is the caller's to shorten.
  return Object.fromEntries(
    Object.entries(margins).map(([side, margin]) => [
      side,
      options[side as keyof typeof margins] ?? Math.ceil(Math.min(margin, width / 2)),
    ]),
  );
}

/**
 * The height where nobody gave one: named rows stand as far apart as lines of text that are read one by one, and
 * `aspectRatio` is kept. Plot works both out with its own margins, not with those that hold the labels.
 */
function heightFor(options: Plot.PlotOptions, drawn: Drawn, textSize: number): Plot.PlotOptions {
  const { aspectRatio, width = WIDTH, marginTop = 0, marginRight = 0, marginBottom = 0, marginLeft = 0 } = options;
  const [x, y] = [drawn.scale("x"), drawn.scale("y")];
  if (options.height !== undefined || drawn.scale("fy") !== undefined) return {};
  if (!aspectRatio && /band|point/.test(y?.type ?? "")) {
    const rows = [...y!.domain!].length;
    return {
      height: Math.ceil(Math.max(rows * 2.4 + 5, rows * 1.6 + (marginTop + marginBottom) / textSize) * textSize),
    };
  }
  if (!aspectRatio || options.margin !== undefined || drawn.scale("fx") !== undefined) return {};
  if (x?.type !== "linear" || y?.type !== "linear") return {};
  const length = ({ domain = [] }: Plot.Scale) => Math.abs(Number([...domain].at(-1)) - Number([...domain][0]));
  const inner = (width - marginLeft - marginRight) * length(y) / length(x) / Number(aspectRatio);
  return { height: Math.round(inner + marginTop + marginBottom) };
}

/**
 * What Plot's own defaults leave to wish: plain numbers at 1, 2 and 5 on logarithmic axes (Plot writes 0.1 as "100m"),
 * the name of an axis of named rows above them (Plot writes it across them), series in the order of the data, and colours
 * that the colour-blind can tell apart.
 */
function scaleDefaults(options: Plot.PlotOptions, drawn: Drawn): Plot.PlotOptions & { colours?: readonly string[] } {
  const axes = (["x", "y"] as const).flatMap((name) => {
    const [given, scale] = [options[name], drawn.scale(name)];
    if (scale?.type !== "log" || (given && ("ticks" in given || "tickFormat" in given))) return [];
    const domain = scale.domain as number[];
    const [low, high] = [Math.min(...domain), Math.max(...domain)];
    const ticks = logTicks(domain).filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
    const tickFormat = (tick: number) => String(Number(tick.toPrecision(6)));
    return [[name, { base: NEARLY_TEN, ...given, ticks, tickFormat }]];
  });
  const named = (["y", "fy"] as const).filter((name) => /band|point/.test(drawn.scale(name)?.type ?? ""))
    .map((name) => [name, { labelAnchor: "top", labelArrow: "none", ...options[name] }]);
  const colours = seriesColours(drawn, options.color);
  const domain = colours && (options.color?.domain ?? inOrder([...drawn.scale("color")!.domain!], options.marks));
  return {
    ...Object.fromEntries([...axes, ...named]),
    ...(colours && { color: { ...options.color, domain: domain!, range: colours }, colours }),
    ...(plainColour(drawn, options.color) && { color: { ...options.color, scheme: "blues" } }),
  };
}

/** At a base of exactly ten D3 leaves ticks at 5 without a label, also where every tick is asked for. */
const NEARLY_TEN = 10 - 1e-9;

/** Whether numbers are coloured and nobody said how. */
function plainColour(drawn: Drawn, given: Plot.ScaleOptions | undefined): boolean {
  return drawn.scale("color")?.type === "linear" && given?.scheme === undefined && given?.range === undefined &&
    given?.interpolate === undefined;
}

/** The values in the order in which the data name them; those that no record holds come last. */
function inOrder(values: readonly unknown[], marks: Plot.PlotOptions["marks"]): unknown[] {
  const wanted = new Set(values);
  const found = recordLists(marks).flatMap((rows) => rows.flatMap((row) => Object.values(row))).filter((value) =>
    wanted.has(value)
  );
  return [...new Set([...found, ...values])];
}

function refuseInteraction({ name, marks = [] }: PlotFigureOptions): void {
  for (const mark of flat(marks)) {
    const { tip, constructor } = mark as { tip?: unknown; constructor?: { name: string } };
    if (tip !== undefined && tip !== null && tip !== false && constructor?.name !== "Tip") {
      throw new RangeError(
        `figure ${name}: \`tip\` waits for a pointer, which a still picture has not; write the values with Plot.text or Plot.tip`,
      );
    }
  }
}

const flat = (marks: readonly unknown[]): unknown[] =>
  (marks as unknown[]).flat(Infinity).filter((mark) => mark !== null && mark !== undefined && mark !== false);

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
  for (const extra of svg.querySelectorAll("title, script, foreignObject")) extra.remove();
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

/** The records that the marks draw, one list after the other; each list once. Unknown and nested values are left out. */
function markRows(marks: Plot.PlotOptions["marks"]): Figure["rows"] {
  return recordLists(marks).flatMap((rows) => rows.map(plain));
}

function recordLists(marks: Plot.PlotOptions["marks"] = []): Record<string, unknown>[][] {
  const lists = flat(marks).map((mark) => (mark as { data?: unknown }).data);
  return [...new Set(lists.filter((data) => Array.isArray(data) && data.length > 0 && data.every(isRecord)))] as Record<
    string,
    unknown
  >[][];
}

const isRecord = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

function plain(row: Readonly<Record<string, unknown>>): Figure["rows"][number] {
  const kept = Object.entries(row).filter(([, value]) =>
    typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))
  );
  return Object.fromEntries(kept) as Figure["rows"][number];
}

/** The axes and series in words: the alt text, where none is given. */
function describe(svg: Drawn, options: Plot.PlotOptions): string[] {
  const kinds = [...svg.querySelectorAll("g[aria-label]")].map((group) => group.getAttribute("aria-label")!)
    .filter((kind) => !SCENERY.test(kind));
  const axes = (["x", "y", "fx", "fy"] as const).flatMap((name) => {
    const scale = svg.scale(name);
    const words = scale === undefined ? "" : scaleWords(scale, axisLabel(svg, name) ?? options[name]?.label);
    return words === "" ? [] : [`${name}: ${words}`];
  });
  const colour = svg.scale("color");
  const title = typeof options.title === "string" ? [options.title] : [];
  const marks = `Plot of ${[...new Set(kinds)].join(", ") || "no marks"}`;
  const series = colour === undefined || colour.type === "identity" || !isUsed(colour)
    ? []
    : [`colour: ${scaleWords(colour, options.color?.label)}`];
  const words = [marks, ...axes, ...series].join("; ");
  return [...title, ...(isEmpty(svg, options.marks) ? [NO_DATA] : []), words];
}

/** The name of an axis as it is drawn: Plot takes it from the data where nobody gives one. */
function axisLabel(svg: Element, name: string): string | undefined {
  return svg.querySelector(`g[aria-label="${name}-axis label"]`)?.textContent ?? undefined;
}

function scaleWords(scale: Plot.Scale, given: string | null | undefined): string {
  const domain = [...scale.domain ?? []].filter((value) => value !== undefined) as unknown[];
  const label = (given ?? scale.label ?? "").replace(/^[←↑→↓]\s*|\s*[←↑→↓]$/g, "");
  const numbers = domain.length > 0 && domain.every((value) => typeof value === "number") &&
    !/ordinal|band|point/.test(scale.type ?? "");
  const values = numbers
    ? `${numberWords(domain[0] as number)} to ${numberWords(domain.at(-1) as number)}`
    : domain.slice(0, MOST).map(String).join(", ") + (domain.length > MOST ? ` and ${domain.length - MOST} more` : "");
  return [label, values].filter((part) => part !== "").join(", ");
}

const MOST = 12;
const numberWords = (value: number): string =>
  fixedText(value, Math.abs(value) >= 100 ? 0 : 4).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
