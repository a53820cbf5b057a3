import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { extent } from "d3-array";
import { PUBLISHED_THRESHOLDS } from "../quality/classify.ts";
import { createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { drawGroup, layOutGroup, type PlacedGroup } from "./distribution_plot_group.ts";
import type { Figure } from "./figure.ts";
import { type FigureOptions, toFigure } from "./figure_options.ts";
import { wrapText } from "./label_text.ts";
import { drawLegend, type LegendItem } from "./legend.ts";
import { countText, fixedText, requireFinite } from "./number_text.ts";
import { COLOURS, INK, MUTED, RULE } from "./palette.ts";

/** One run's value. */
export interface DistributionRun {
  /** Absent: not known; counted in words and not drawn. */
  readonly value?: number | undefined;
  /** Such as the seed; printed beside a highlighted run. */
  readonly label?: string | undefined;
  /** Drawn apart, such as the runs of the panel's seeds. */
  readonly highlight?: boolean | undefined;
}

export interface DistributionGroup {
  readonly label: string;
  readonly runs: readonly DistributionRun[];
  /** Published values of the same quantity. */
  readonly published?: readonly number[] | undefined;
  /** Words beside the group, such as its mean; nothing is computed here. */
  readonly note?: string | undefined;
}

export interface DistributionPlotOptions extends FigureOptions {
  /** A band each, in this order. */
  readonly groups: readonly DistributionGroup[];
  /** What the values are. Default: quality of survival q. */
  readonly quantity?: string;
  /** Marked across all groups. Default: the class thresholds of q, and none for another quantity. */
  readonly thresholds?: readonly { readonly label: string; readonly value: number }[];
  /** What the highlighted runs are. Default: panel seeds. */
  readonly highlighted?: string;
  /** Groups with more runs than this are drawn as a histogram. Default 120. */
  readonly mostDots?: number;
  /** Decimals of printed numbers. Default 3. */
  readonly digits?: number;
}

/**
 * The values of many runs by group: a dot for each run, or a histogram where there are many, with the published values
 * as hollow diamonds below and highlighted runs above.
 *
 * Source: the quality of survival with its classes, Tables 5, 8 and 11 of the station paper.
 *
 * @throws {RangeError} when a number is not finite.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const runs = [{ value: 0.707, label: "104", highlight: true }, { value: 0.731 }];
 * const { alt } = distributionPlot({ groups: [{ label: "no model", runs, published: [0.774] }], synthetic: true });
 * assert.match(alt, /no model: 2 runs, 0.707 to 0.731, 1 published, 0.774 to 0.774/);
 * ```
 */
export function distributionPlot(options: DistributionPlotOptions): Figure {
  const { groups, quantity = Q, highlighted = "panel seeds", digits = 3, mostDots = 120 } = options;
  const thresholds = options.thresholds ?? (options.quantity === undefined ? CLASSES : []);
  for (const { label, runs, published = [] } of groups) {
    requireFinite(`a value of "${label}"`, ...runs.map(({ value }) => value), ...published);
  }
  for (const { label, value } of thresholds) requireFinite(`threshold "${label}"`, value);
  const canvas = createCanvas();
  const top = drawLegend(canvas, legendItems(groups, { thresholds, highlighted, mostDots, digits }), { y: 12 }) + 8;
  const domain = axisDomain(groups, thresholds.map(({ value }) => value));
  const x = (value: number) => LEFT + ((value - domain[0]) / (domain[1] - domain[0])) * (WIDTH - LEFT - RIGHT);
  let y = top;
  const placed = groups.map((group): PlacedGroup => {
    const one = layOutGroup(group, { x, domain, top: y, mostDots, words: groupWords(group, digits) });
    y = one.bottom;
    return one;
  });
  if (placed.length > 0) {
    canvas.plot(axis({ domain, top, bottom: y, quantity, thresholds: thresholds.map(({ value }) => value) }), 0, 0);
  } else canvas.text("No runs to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
  for (const group of placed) drawGroup(canvas, group, { left: LEFT, right: RIGHT });
  return toFigure(options, {
    kind: "distribution",
    canvas,
    height: y + (placed.length === 0 ? 2 * LINE_HEIGHT : AXIS_HEIGHT),
    alt: [
      `Distribution of ${quantity} in ${countText(groups.length, "group")}`,
      ...groups.map((group) => `${group.label}: ${groupWords(group, digits).join(", ")}`),
      ...thresholds.map(({ label, value }) => `${label} from ${fixedText(value, 2)}`),
    ],
    caption: captionSentences(options, { quantity, highlighted, mostDots }),
    rows: groups.flatMap(dataRows),
  });
}

const Q = "quality of survival q";
const CLASSES = [
  { label: "adequate", value: PUBLISHED_THRESHOLDS.adequate },
  { label: "strong", value: PUBLISHED_THRESHOLDS.strong },
];
const LEFT = 150;
const RIGHT = 170;
const AXIS_HEIGHT = 48;
const THRESHOLD_DASHES = ["6 3", "2 3", "10 3 2 3"];

function legendItems(
  groups: readonly DistributionGroup[],
  { thresholds, highlighted, mostDots, digits }: {
    thresholds: readonly { label: string; value: number }[];
    highlighted: string;
    mostDots: number;
    digits: number;
  },
): LegendItem[] {
  const items: (LegendItem | false)[] = [
    groups.some(({ runs }) => runs.length <= mostDots) && { label: "run", colour: COLOURS[0], symbol: "circle" },
    groups.some(({ runs }) => runs.length > mostDots) && { label: "runs, counted", colour: COLOURS[0], area: 0.55 },
    groups.some(({ runs }) => runs.some(({ highlight }) => highlight)) &&
    { label: highlighted, colour: COLOURS[1], symbol: "square" },
    groups.some(({ published = [] }) => published.length > 0) &&
    { label: "published", colour: INK, symbol: "diamond", hollow: true },
    ...thresholds.map(({ label, value }, i) => ({
      label: `${label} from ${fixedText(value, Math.min(digits, 2))}`,
      ...{ colour: INK, dash: THRESHOLD_DASHES[i % THRESHOLD_DASHES.length]!, thickness: 1.2 },
    })),
  ];
  return items.filter((item) => item !== false);
}

function axisDomain(groups: readonly DistributionGroup[], thresholds: readonly number[]): [number, number] {
  const values = groups.flatMap((
    { runs, published = [] },
  ) => [...runs.flatMap(({ value }) => value ?? []), ...published]);
  const [low = 0, high = 1] = extent([...values, ...thresholds]);
  const pad = (high - low) * 0.04 || Math.abs(high) * 0.1 || 1;
  return [low - pad, high + pad];
}

/** Number and range of what is drawn, and how much is not. */
function groupWords({ runs, published = [], note }: DistributionGroup, digits: number): string[] {
  const range = (values: readonly number[]) => {
    const [low, high] = extent(values);
    return low === undefined || high === undefined ? [] : [`${fixedText(low, digits)} to ${fixedText(high, digits)}`];
  };
  const values = runs.flatMap(({ value }) => value ?? []);
  const unknown = runs.length - values.length;
  return [
    countText(runs.length, "run"),
    ...range(values),
    ...(unknown === 0 ? [] : [`${unknown} without a value`]),
    ...(note === undefined ? [] : [note]),
    ...(published.length === 0 ? [] : [`${published.length} published`, ...range(published)]),
  ];
}

function axis({ domain, top, bottom, quantity, thresholds }: {
  domain: [number, number];
  top: number;
  bottom: number;
  quantity: string;
  thresholds: readonly number[];
}): Plot.PlotOptions {
  return {
    ...{ width: WIDTH, height: bottom + AXIS_HEIGHT, marginLeft: LEFT, marginRight: RIGHT, marginTop: top },
    marginBottom: AXIS_HEIGHT,
    x: {
      ...{ domain, ticks: 5, labelAnchor: "center", labelArrow: "none" },
      label: wrapText(quantity, WIDTH - LEFT - RIGHT, TEXT_SIZE, 1)[0]!,
    },
    y: { axis: null },
    marks: [
      Plot.gridX({ ticks: 5, stroke: RULE, strokeOpacity: 1 }),
      ...thresholds.map((value, i) =>
        Plot.ruleX([value], {
          ...{ stroke: INK, strokeWidth: 1.2 },
          strokeDasharray: THRESHOLD_DASHES[i % THRESHOLD_DASHES.length]!,
        })
      ),
      Plot.frame({ anchor: "bottom", stroke: INK }),
    ],
  };
}

function captionSentences(
  { groups }: DistributionPlotOptions,
  { quantity, highlighted, mostDots }: { quantity: string; highlighted: string; mostDots: number },
): string[] {
  const histogram = groups.some(({ runs }) => runs.length > mostDots);
  const dots = groups.some(({ runs }) => runs.length <= mostDots);
  return [
    `Values of ${quantity}, ${dots ? "a dot for each run" : "histograms of runs"}${
      dots && histogram ? `, a histogram for more than ${countText(mostDots, "run")}` : ""
    }`,
    ...(histogram ? ["The fullest bin of each histogram is as high as its band and counted at its top"] : []),
    ...(groups.some(({ runs }) => runs.some(({ highlight }) => highlight)) ? [`Squares: ${highlighted}`] : []),
    ...(groups.some(({ published = [] }) => published.length > 0) ? ["Hollow diamonds: published values"] : []),
  ];
}

function dataRows({ label: group, runs, published = [] }: DistributionGroup): Figure["rows"] {
  return [
    ...runs.map(({ value, label, highlight = false }) => ({ group, source: "run", label, highlight, value })),
    ...published.map((value) => ({ group, source: "published", label: undefined, highlight: false, value })),
  ];
}
