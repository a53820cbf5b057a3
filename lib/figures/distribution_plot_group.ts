import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { bin, ticks } from "d3-array";
import { BOLD_SIZE, type Canvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import type { DistributionGroup } from "./distribution_plot.ts";
import { textWidth, wrapText } from "./label_text.ts";
import { symbolMark } from "./legend.ts";
import { COLOURS, INK, MUTED, RULE } from "./palette.ts";

type Place = readonly [x: number, y: number];

/** One group in pixels: three lanes, highlighted runs above all runs above published values. */
export interface PlacedGroup {
  readonly heading: readonly string[];
  readonly words: readonly string[];
  readonly top: number;
  readonly bottom: number;
  readonly highlights: readonly { readonly at: Place; readonly label: string; readonly labelAt: Place }[];
  readonly dots: readonly Place[];
  readonly bars: readonly { x1: number; x2: number; y1: number; y2: number; readonly count: number }[];
  readonly published: readonly Place[];
}

const DOT = 3.2;
const SIGN = 4;
const LABEL_SIZE = 10;
const HISTOGRAM_HEIGHT = 60;

/** Where everything of a group stands; `top` is where the group before it ends. */
export function layOutGroup(
  { label, runs, published = [] }: DistributionGroup,
  { x, domain, top, mostDots, words }: {
    x: (value: number) => number;
    domain: readonly [number, number];
    top: number;
    mostDots: number;
    words: readonly string[];
  },
): PlacedGroup {
  const known = runs.flatMap((run) => run.value === undefined ? [] : [{ ...run, x: x(run.value) }]);
  const chosen = known.filter(({ highlight }) => highlight);
  const plain = known.filter(({ highlight }) => !highlight);
  const many = runs.length > mostDots;
  const lanes = {
    labels: stack(chosen.map(({ x, label = "" }) => ({ x, half: textWidth(label, LABEL_SIZE) / 2 + 2 }))),
    dots: many ? [] : stack(plain.map(({ x }) => ({ x, half: DOT + 0.3 }))),
    published: stack(published.map((value) => ({ x: x(value), half: SIGN + 1 }))),
  };
  const heights = {
    labels: laneHeight(lanes.labels, LABEL_SIZE + 2),
    signs: chosen.length > 0 ? 2 * SIGN + 6 : 0,
    dots: many ? HISTOGRAM_HEIGHT + LINE_HEIGHT : laneHeight(lanes.dots, 2 * DOT + 0.6) + 4,
    published: laneHeight(lanes.published, 2 * SIGN + 2),
  };
  const heading = wrapText(label, 118, BOLD_SIZE, 4);
  const lines = words.flatMap((word) => wrapText(word, 146, TEXT_SIZE, 3));
  const drawn = heights.labels + heights.signs + heights.dots + heights.published;
  const height = Math.max(drawn, heading.length * LINE_HEIGHT, lines.length * LINE_HEIGHT) + 20;
  const start = top + (height - drawn) / 2;
  const signs = start + heights.labels + heights.signs / 2;
  const floor = start + heights.labels + heights.signs + heights.dots;
  return {
    ...{ heading, words: lines, top, bottom: top + height },
    highlights: chosen.map(({ x, label = "" }, i) => ({
      at: [x, signs],
      label,
      labelAt: [x, start + heights.labels - 2 - lanes.labels[i]! * (LABEL_SIZE + 2)],
    })),
    dots: many ? [] : plain.map(({ x }, i) => [x, floor - 4 - DOT - lanes.dots[i]! * (2 * DOT + 0.6)]),
    bars: many ? histogram(known.map(({ value }) => value!), { x, domain, floor }) : [],
    published: published.map((value, i) => [x(value), floor + SIGN + 3 + lanes.published[i]! * (2 * SIGN + 2)]),
  };
}

/** The lowest level at which each item meets none before it, from the left; in the order given. */
function stack(items: readonly { readonly x: number; readonly half: number }[]): number[] {
  const ends: number[] = [];
  const levels: number[] = [];
  const order = items.map((_, i) => i).sort((a, b) => (items[a]!.x - items[a]!.half) - (items[b]!.x - items[b]!.half));
  for (const i of order) {
    const { x, half } = items[i]!;
    const free = ends.findIndex((end) => end <= x - half);
    const level = free < 0 ? ends.length : free;
    ends[level] = x + half;
    levels[i] = level;
  }
  return levels;
}

const laneHeight = (levels: readonly number[], step: number): number =>
  levels.length === 0 ? 0 : (Math.max(...levels) + 1) * step + 4;

function histogram(
  values: readonly number[],
  { x, domain, floor }: { x: (value: number) => number; domain: readonly [number, number]; floor: number },
): PlacedGroup["bars"] {
  const bins = bin().domain([...domain]).thresholds(ticks(...domain, 40))(values);
  const most = Math.max(1, ...bins.map(({ length }) => length));
  return bins.filter(({ length }) => length > 0).map(({ x0, x1, length }) => ({
    ...{ x1: x(x0!), x2: x(x1!), y1: floor - (length / most) * HISTOGRAM_HEIGHT, y2: floor, count: length },
  }));
}

export function drawGroup(canvas: Canvas, group: PlacedGroup, { left, right }: { left: number; right: number }): void {
  const { heading, words, top, bottom, highlights, dots, bars, published } = group;
  const start = (lines: readonly string[]) => (top + bottom) / 2 - (lines.length * LINE_HEIGHT) / 2 + 12;
  canvas.lines(heading, left - 16, start(heading), { anchor: "end", weight: "bold" });
  canvas.lines(words, WIDTH - right + 14, start(words));
  const fullest = bars.find(({ count }) => count === Math.max(...bars.map((bar) => bar.count)));
  canvas.marks(
    Plot.ruleY([bottom], { x1: 16, x2: WIDTH - 16, stroke: RULE }),
    Plot.rect(bars, { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: COLOURS[0], fillOpacity: 0.55, inset: 0.4 }),
    Plot.dot(dots, { r: DOT, fill: COLOURS[0], fillOpacity: 0.75 }),
    symbolMark(published, { colour: INK, symbol: "diamond", hollow: true, r: SIGN }),
    symbolMark(highlights.map(({ at }) => at), { colour: COLOURS[1], symbol: "square", r: SIGN }),
  );
  if (fullest) {
    canvas.text(String(fullest.count), (fullest.x1 + fullest.x2) / 2, fullest.y1 - 3, {
      ...{ anchor: "middle", size: LABEL_SIZE, fill: MUTED },
    });
  }
  for (const { label, labelAt: [x, y] } of highlights) canvas.text(label, x, y, { anchor: "middle", size: LABEL_SIZE });
}
