import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { bin, ticks } from "d3-array";
import { BOLD_SIZE, type Canvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import type { DistributionGroup } from "./distribution_plot.ts";
import { textWidth, wrapText } from "./label_text.ts";
import { symbolMark } from "./legend.ts";
import { CARD, COLOURS, INK, MUTED, RULE } from "./palette.ts";

type Place = readonly [x: number, y: number];

/** Where a label stands beside its sign. */
type Side = "left" | "right";

/** One group in pixels: three lanes, highlighted runs above all runs above published values. */
export interface PlacedGroup {
  readonly heading: readonly string[];
  readonly words: readonly string[];
  readonly top: number;
  readonly bottom: number;
  readonly highlights: readonly { readonly at: Place; readonly label: string; readonly side: Side }[];
  readonly dots: readonly Place[];
  readonly bars: readonly { x1: number; x2: number; y1: number; y2: number; readonly count: number }[];
  readonly published: readonly Place[];
}

const DOT = 3.2;
const SIGN = 4;
const LABEL_SIZE = 10;
const DOT_STEP = 2 * DOT + 0.6;
const SIGN_STEP = 2 * SIGN + 4;
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
  const sides = chosen.map(({ x: at, label = "" }): Side =>
    at + SIGN + labelWidth(label) > x(domain[1]) ? "left" : "right"
  );
  const lanes = {
    highlights: stack(chosen.map(({ x, label = "" }, i) => {
      const [near, far] = [SIGN + 2, SIGN + labelWidth(label)];
      return sides[i] === "left" ? [x - far, x + near] : [x - near, x + far];
    })),
    dots: many ? [] : stack(plain.map(({ x }) => [x - DOT_STEP / 2, x + DOT_STEP / 2])),
    published: stack(published.map((value) => [x(value) - SIGN - 1, x(value) + SIGN + 1])),
  };
  const heights = {
    highlights: laneHeight(lanes.highlights, SIGN_STEP),
    dots: many ? HISTOGRAM_HEIGHT + LINE_HEIGHT : laneHeight(lanes.dots, DOT_STEP),
    published: laneHeight(lanes.published, SIGN_STEP),
  };
  const heading = wrapText(label, 118, BOLD_SIZE, 4);
  const lines = words.flatMap((word) => wrapText(word, 146, TEXT_SIZE, 3));
  const drawn = heights.highlights + heights.dots + heights.published;
  const height = Math.max(drawn, heading.length * LINE_HEIGHT, lines.length * LINE_HEIGHT) + 20;
  const start = top + (height - drawn) / 2;
  const floor = start + heights.highlights + heights.dots;
  const above = (level: number, step: number, end: number) => end - 4 - (level + 0.5) * step;
  return {
    ...{ heading, words: lines, top, bottom: top + height },
    highlights: chosen.map(({ x, label = "" }, i) => ({
      at: [x, above(lanes.highlights[i]!, SIGN_STEP, start + heights.highlights)],
      label: shown(label),
      side: sides[i]!,
    })),
    dots: many ? [] : plain.map(({ x }, i) => [x, above(lanes.dots[i]!, DOT_STEP, floor)]),
    bars: many ? histogram(plain.map(({ value }) => value!), { x, domain, floor }) : [],
    published: published.map((value, i) => [x(value), floor + 4 + (lanes.published[i]! + 0.5) * SIGN_STEP]),
  };
}

/** A highlighted run's label stands right of its sign, cut where it is long. */
const shown = (label: string): string => label === "" ? "" : wrapText(label, 60, LABEL_SIZE, 1)[0]!;
const labelWidth = (label: string): number => label === "" ? 2 : 5 + textWidth(shown(label), LABEL_SIZE);

/** The lowest level at which each span meets none before it, from the left; in the order given. */
function stack(spans: readonly (readonly [left: number, right: number])[]): number[] {
  const ends: number[] = [];
  const levels: number[] = [];
  const order = spans.map((_, i) => i).sort((a, b) => spans[a]![0] - spans[b]![0] || a - b);
  for (const i of order) {
    const [left, right] = spans[i]!;
    const free = ends.findIndex((end) => end <= left);
    levels[i] = free < 0 ? ends.length : free;
    ends[levels[i]!] = right;
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
  canvas.marks(
    Plot.ruleY([bottom], { x1: 16, x2: WIDTH - 16, stroke: RULE }),
    Plot.rect(bars, { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: COLOURS[0], fillOpacity: 0.55, inset: 0.4 }),
    Plot.dot(dots, { r: DOT, fill: COLOURS[0], fillOpacity: 0.75 }),
    symbolMark(published, { colour: INK, symbol: "diamond", hollow: true, r: SIGN }),
    symbolMark(highlights.map(({ at }) => at), { colour: COLOURS[1], symbol: "square", r: SIGN }),
  );
  const most = Math.max(0, ...bars.map(({ count }) => count));
  const fullest = bars.find(({ count }) => count === most);
  const labels = [
    ...highlights.map(({ at: [x, y], label, side }) => ({
      ...{ label, y: y + 4, fill: INK },
      ...(side === "left"
        ? { x: x - SIGN - 3, anchor: "end" as const }
        : { x: x + SIGN + 3, anchor: "start" as const }),
    })),
    ...(fullest
      ? [{
        label: String(most),
        x: (fullest.x1 + fullest.x2) / 2,
        y: fullest.y1 - 3,
        fill: MUTED,
        anchor: "middle" as const,
      }]
      : []),
  ].filter(({ label }) => label !== "");
  // White below the words, so that no threshold runs through them.
  const plates = labels.map(({ label, x, y, anchor }) => {
    const width = textWidth(label, LABEL_SIZE);
    const left = x - { start: 0, middle: 0.5, end: 1 }[anchor] * width;
    return { x1: left - 1, x2: left + width + 1, y1: y - 9, y2: y + 2 };
  });
  canvas.marks(Plot.rect(plates, { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: CARD }));
  for (const { label, x, y, fill, anchor } of labels) canvas.text(label, x, y, { size: LABEL_SIZE, fill, anchor });
}
