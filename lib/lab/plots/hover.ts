import type * as Plot from "@observablehq/plot";
import { svgOf, svgUrl } from "./figure.ts";
import { spaceApart } from "./marks.ts";
import { INK } from "./palette.ts";
import { flatMarks, type Mark } from "./plot_words.ts";

/** Marks that stand for records, one element each. */
const TOLD = /^(dot|published diamond|line|bar|rect|cell|tick|rule|link|arrow|vector|image|hexagon)$/;
/** A mark of more elements tells none of them: the words would take more bytes than the picture. */
const MOST = 1000;
/** Channels of looks, not of data. */
const LOOKS =
  /^(title|href|ariaLabel|geometry|sort|text|src|length|rotate|width|height|.*opacity|strokeWidth|fontSize)$/i;

/** The lines that one drawing names at their ends. */
export interface NamedLines {
  /** True where the names are to be drawn. */
  readonly draw: boolean;
  readonly format?: Plot.ScaleOptions["tickFormat"];
  /** The series of all lines that can be named; filled while drawing. */
  readonly series: Set<unknown>;
}

/** True for lines whose colour is a channel: a series each. */
const isSeries = ({ ariaLabel, channels, clip }: Mark): boolean =>
  ariaLabel === "line" && channels?.stroke !== undefined && !clip;

/** True where lines coloured by a series could be named at their ends, and no text names them yet. */
export function hasLinesToName(marks: Plot.PlotOptions["marks"]): boolean {
  const all = flatMarks(marks);
  return all.some(isSeries) && !all.some(({ ariaLabel }) => ariaLabel === "text");
}

/**
 * The marks, each element of which tells its record in words (a `<title>`, which browsers show on hover): names, then
 * numbers by the columns that the mark reads. A title of the caller's own stays. Lines get an invisible dot for each of
 * their points.
 */
export function withWords(marks: Plot.PlotOptions["marks"], names: NamedLines): Plot.Markish[] {
  const named = new Set<string>();
  return flatMarks(marks).map((mark) => {
    const { ariaLabel: kind = "" } = mark;
    if (!TOLD.test(kind) || (kind === "rule" && !isOfRecords(mark))) return mark as unknown as Plot.Markish;
    const render: Plot.RenderFunction = (...given) => {
      const node = mark.render(...given), [index, scales, values, dimensions] = given;
      if (node === null) return node;
      const drawn = { node, scales, values, index } as unknown as DrawnMark;
      tellWords(drawn, kind);
      if (isSeries(mark)) nameEnds(drawn, dimensions, { ...names, named });
      return node;
    };
    return Object.create(mark, { render: { value: render } });
  });
}

/** A rule at a number stands for no record. */
const isOfRecords = ({ data }: Mark): boolean => !Array.isArray(data) || typeof data[0] === "object";

interface Channel {
  readonly value: ArrayLike<unknown>;
  readonly scale?: string | null;
  readonly label?: unknown;
  readonly hint?: { readonly length?: unknown };
}
interface DrawnMark {
  readonly node: SVGElement;
  readonly scales: Readonly<Record<string, { readonly label?: unknown } | undefined>>;
  readonly values: Readonly<Record<string, ArrayLike<number | string>>> & {
    readonly channels: Readonly<Record<string, Channel>>;
  };
  readonly index: readonly number[] & { readonly fx?: unknown; readonly fy?: unknown };
}

/** The elements of a mark with the records they stand for: D3 keeps the place of the record at its element. */
const elementsOf = (node: Element) =>
  [...node.querySelectorAll(":not(title)")].flatMap((element) => {
    const place = (element as { __data__?: unknown }).__data__;
    return typeof place === "number" || Array.isArray(place) ? [{ element, place: place as number | number[] }] : [];
  });

function tellWords(drawn: DrawnMark, kind: string): void {
  const { node, values } = drawn, few = Object.values(values.channels).every(({ value }) => value.length <= MOST);
  const own = values.channels.title?.value;
  const words = (i: number) => own ? String(own[i] ?? "") : recordWords(drawn, i);
  // A line whose look changes on the way is drawn in parts that share their ends.
  const done = new Set<number>();
  const dots = make(node, "g", { "data-hover": "", stroke: "none", "fill-opacity": 0, fill: INK });
  for (const { element, place } of elementsOf(node)) {
    if (Array.isArray(place)) {
      for (const title of element.querySelectorAll("title")) title.remove();
      const points = place.filter((i) => Number.isFinite(values.x?.[i]) && Number.isFinite(values.y?.[i]));
      const fresh = points.filter((i) => !done.has(i) && done.add(i));
      if (!few) addTitle(element, [...namesAt(drawn, place[0] ?? 0)].join(", "));
      else {
        for (const i of fresh.filter((i) => words(i) !== "")) {
          const dot = make(node, "circle", { cx: values.x![i]!, cy: values.y![i]!, r: 3 });
          addTitle(dot, words(i));
          dots.append(dot);
        }
      }
    } else if (few && kind !== "line" && own === undefined) addTitle(element, words(place));
  }
  if (dots.firstChild !== null) node.append(dots);
}

/** A picture without words for the pointer, for viewers that show pictures as they are. */
const withoutWords = (svg: string): string => svg.replace(/<g [^>]*data-hover[^>]*>.*?<\/g>|<title>.*?<\/title>/gs, "");

/**
 * The HTML of outputs as notebooks store it: viewers of notebooks show pictures as they are, so that words on hover and
 * the drawing for narrow pages, which published pages have, would be bytes for nothing.
 */
export const slimHtml = (html: string): string =>
  html.replace(/<source media="[^"]*" srcset="[^"]*">/g, "")
    .replace(/(?<=src=")data:image\/svg[^"]*/g, (url) => svgUrl(withoutWords(svgOf(url)!)));

function addTitle(element: Element, words: string): void {
  if (words === "") return;
  const title = make(element, "title");
  title.textContent = words;
  element.append(title);
}

function make(beside: Element, name: string, attributes: Readonly<Record<string, string | number>> = {}): Element {
  const element = beside.ownerDocument.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** The channels that hold data; on axes that are not drawn places mean nothing. */
const dataOf = ({ values, scales }: DrawnMark): [name: string, channel: Channel][] =>
  Object.entries(values.channels).filter(([name, { scale, value }]) =>
    !LOOKS.test(name) && (scale ? scale in scales : !/^(x|y|fill|stroke|symbol)/.test(name)) && value !== undefined
  );

/** The names of a record: texts among its channels, and its panels. */
function namesAt(drawn: DrawnMark, i: number): Set<string> {
  const { index: { fx, fy } } = drawn;
  const values = [...dataOf(drawn).map(([, { value }]) => value[i]), fx, fy];
  return new Set(values.filter((value) => typeof value === "string" && value !== "") as string[]);
}

/** `roles on`, then `round 3, D 0.0234` in a line below. */
function recordWords(drawn: DrawnMark, i: number): string {
  const channels = Object.fromEntries(dataOf(drawn)), numbers = new Set<string>();
  for (const [name, { value, scale, label: own, hint }] of Object.entries(channels)) {
    const first = name.endsWith("2") ? channels[name.replace("2", "1")] : undefined;
    const text = numberText(value[i]), from = numberText(first?.value[i]);
    if (text === undefined || (name.endsWith("1") && `${name.slice(0, -1)}2` in channels)) continue;
    const label = (column: unknown) =>
      String(drawn.scales[scale ?? name]?.label ?? column ?? "").replace(/^[←↑→↓]\s*|,.*|\s*[←↑→↓]$/g, "");
    const say = (column: unknown, words = "") => numbers.add(`${label(column)} ${words}`.trim());
    if (hint?.length) say(own, numberText(Number(value[i]) - Number(first?.value[i])));
    else if (from === undefined || from === text) say(own, text);
    else if (label(first?.label) === label(own)) say(own, `${from} to ${text}`);
    else say(first?.label, from), say(own, text);
  }
  return [[...namesAt(drawn, i)].join(", "), [...numbers].join(", ")].filter((line) => line !== "").join("\n");
}

/** A number in four significant digits. */
function numberText(value: unknown): string | undefined {
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(4))).replace("-", "−");
}

/** Room from the end of a line to its name. */
const GAP = 12;

/** Names lines at their ends, with a stroke from each end to its name where names had to make room. */
function nameEnds(
  { node, values, index }: DrawnMark,
  { marginTop, marginBottom, height }: Plot.Dimensions,
  { draw, format, series, named }: NamedLines & { named: Set<string> },
): void {
  const { stroke } = values.channels;
  if (stroke?.scale !== "color") return;
  const ends = elementsOf(node).flatMap(({ place }) => {
    const last = [place].flat().findLast((i) => Number.isFinite(values.x?.[i]) && Number.isFinite(values.y?.[i]));
    if (last === undefined) return [];
    const name = stroke.value[last], key = JSON.stringify([name, index.fy]);
    series.add(name);
    if (named.has(key)) return [];
    named.add(key);
    return [{ name, x: Number(values.x![last]), y: Number(values.y![last]), colour: String(values.stroke![last]) }];
  });
  if (!draw) return;
  const places = spaceApart(ends.map(({ y }) => y), marginTop, height - marginBottom);
  ends.forEach(({ name, x, y, colour }, i) => {
    const label = typeof format === "function" ? format(name, i) : name, at = places[i]!;
    const look = { "text-anchor": "start", stroke: "none", fill: INK };
    const text = make(node, "text", { x: x + GAP, y: at, dy: "0.32em", ...look });
    text.textContent = String(label);
    node.append(make(node, "line", { x1: x + 4, y1: y, x2: x + GAP - 2, y2: at, stroke: colour }), text);
  });
}
