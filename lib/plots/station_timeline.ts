import * as Plot from "@observablehq/plot";
// @ts-types="@types/d3-array"
import { nice } from "d3-array";
import { countText, fixedText, requireFinite } from "../core/numbers.ts";
import type { ShockKind } from "../schema/seed_card.ts";
import { LAST_ROUND, requireRound } from "./axes.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, type TextStyle, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { COLOURS, INK, MUTED, RULE, seriesStyle } from "./palette.ts";
import { wrapText } from "./text.ts";

/**
 * Heights for labels that should stand at `wanted` and must keep `gap` pixels between them: crowded ones move up, at the
 * top down again; their order stays. Within `top` and `bottom` where there is room. In the order of `wanted`.
 */
export function spreadLabels(
  wanted: readonly number[],
  { gap, top, bottom }: { gap: number; top: number; bottom: number },
): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const placed: number[] = [];
  // Upwards first, so that nothing leaves at the bottom; then downwards from the top.
  let limit = bottom;
  for (const i of order.toReversed()) {
    placed[i] = Math.min(wanted[i]!, limit);
    limit = placed[i]! - gap;
  }
  limit = top;
  for (const i of order) {
    placed[i] = Math.max(placed[i]!, limit);
    limit = placed[i]! + gap;
  }
  return placed;
}

/** A shock's kind in a word that fits a round's column. */
const WORDS: Readonly<Record<ShockKind, string>> = {
  rumor: "rumour",
  power_fault: "fault",
  market_offer: "offer",
  scandal: "scandal",
  leak: "leak",
  panic_outer: "outer panic",
  panic_sponsor: "sponsor panic",
};

interface Happenings {
  readonly shocks: readonly TimelineShock[];
  readonly passes: readonly TimelinePass[];
  readonly executions: readonly TimelinePass[];
}

/** What happened in each round, in words below its number; returns the `y` below them. */
function drawHappenings(canvas: Canvas, happenings: Happenings, y: number): number {
  const top = y + LINE_HEIGHT;
  let bottom = top + 4;
  for (let round = 0; round <= LAST_ROUND; round++) {
    const middle = LEFT + (round + 0.5) * COLUMN;
    canvas.text(round === 0 ? "start" : `round ${round}`, middle, top, { anchor: "middle", weight: "bold" });
    let below = top + LINE_HEIGHT + 4;
    for (const { word, detail, fill } of entries(happenings, round)) {
      const style: TextStyle = { anchor: "middle", ...(fill !== undefined && { weight: "bold", fill }) };
      below = canvas.lines(wrapText(word, COLUMN, BOLD_SIZE), middle, below, style);
      const lines = wrapText(detail, COLUMN - 8, TEXT_SIZE, 3);
      below = canvas.lines(lines, middle, below, { anchor: "middle", fill: MUTED }) + 3;
    }
    bottom = Math.max(bottom, below - LINE_HEIGHT + 6);
  }
  const borders = Array.from({ length: LAST_ROUND }, (_, i) => LEFT + (i + 1) * COLUMN);
  canvas.marks(Plot.ruleX(borders, { y1: top - 12, y2: bottom, stroke: RULE }));
  return bottom;
}

interface Entry {
  readonly word: string;
  readonly detail: string;
  /** For what is told apart from shocks: bold, and in this colour. */
  readonly fill?: string;
}

function entries({ shocks, passes, executions }: Happenings, round: number): Entry[] {
  const here = <T extends { readonly round: number }>(all: readonly T[]) => all.filter((one) => one.round === round);
  return [
    ...here(shocks).map(({ id, kind, severity }) => ({
      word: WORDS[kind],
      detail: severity === undefined ? id : `${id} (${fixedText(severity, 2)})`,
    })),
    ...here(passes).map(({ proposal }) => ({ word: "passed", detail: proposal, fill: COLOURS[0] })),
    ...here(executions).map(({ proposal }) => ({ word: "executed", detail: proposal, fill: INK })),
  ];
}

/** The station at the end of a round; round 0 is its start. A station's state will do. */
export interface StationLevels {
  readonly round: number;
  /** In [0, 1], as the next three. */
  readonly order: number;
  readonly trust: number;
  readonly info: number;
  readonly authority: number;
  /** Units, of 100. */
  readonly power: number;
  /** Manipulation pressure, ≥ 0. */
  readonly manipulation: number;
}

/** A shock of the weather, in the round that it opens. */
export interface TimelineShock {
  readonly round: number;
  readonly id: string;
  readonly kind: ShockKind;
  readonly severity?: number | undefined;
}

/** What became of a proposal in a round. */
export interface TimelinePass {
  readonly round: number;
  readonly proposal: string;
}

export interface StationTimelineOptions extends FigureOptions {
  /** One entry a round, in any order; rounds without one leave a gap. */
  readonly rounds: readonly StationLevels[];
  readonly shocks?: readonly TimelineShock[];
  /** Proposals that passed the gate. */
  readonly passes?: readonly TimelinePass[];
  /** Plans that were carried out. */
  readonly executions?: readonly TimelinePass[];
  /** Levels below which a station does not count as stable. Default: the station paper's, 0.35 and 0.40. */
  readonly thresholds?: { readonly order: number; readonly info: number };
}

/**
 * One station run over its rounds: the four public levels with their thresholds, power and manipulation pressure below
 * them, and what struck and what passed in each round.
 *
 * Source: state variables and thresholds of Table 1 and Table 12 of the station paper.
 *
 * @throws {RangeError} when a number is not finite, a round is not from 0 to 6, or a round comes twice.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const start = { round: 0, order: 0.8, trust: 0.65, info: 0.75, authority: 0.6, power: 100, manipulation: 0 };
 * const figure = stationTimeline({ rounds: [start, { ...start, round: 1, order: 0.71 }], synthetic: true });
 * assert.match(figure.alt, /public order: 0.80 at the start, 0.71 after round 1/);
 * ```
 */
export function stationTimeline(options: StationTimelineOptions): Figure {
  const { shocks = [], passes = [], executions = [] } = options;
  const rounds = byRound(options.rounds);
  checkHappenings(shocks, passes, executions);
  const thresholds = options.thresholds ?? { order: 0.35, info: 0.40 };
  requireFinite("a threshold", thresholds.order, thresholds.info);
  const canvas = createCanvas();
  let y = drawLegend(canvas, legendItems(thresholds, passes.length > 0), { y: 12 }) + 4;
  if (rounds.length === 0) {
    canvas.text("No rounds to draw.", WIDTH / 2, y + 16, { anchor: "middle", fill: MUTED });
    y += 2 * LINE_HEIGHT;
  } else {
    y = drawPanels(canvas, rounds, { y, thresholds, passed: passes.map(({ round }) => round) });
  }
  return toFigure(options, {
    kind: "station-timeline",
    canvas,
    height: drawHappenings(canvas, { shocks, passes, executions }, y) + 8,
    alt: altSentences(rounds, { shocks, passes, executions }),
    caption: [
      "The station at the end of each round. Dotted lines: thresholds of stabilisation. Below: power as a share of 100 units, manipulation pressure, and what struck and what passed in each round, severities in brackets",
    ],
    rows: rounds.map(({ round, order, trust, info, authority, power, manipulation }) => ({
      ...{ round, order, trust, info, authority, power, manipulation },
      shocks: shocks.filter((shock) => shock.round === round).map(({ id }) => id).join(" "),
      passed: passes.filter((pass) => pass.round === round).map(({ proposal }) => proposal).join(" "),
      executed: executions.filter((plan) => plan.round === round).map(({ proposal }) => proposal).join(" "),
    })),
  });
}

const LEFT = 44;
const RIGHT = 116;
/** Of a round, the start among them. */
const COLUMN = (WIDTH - LEFT - RIGHT) / (LAST_ROUND + 1);
const MAIN_HEIGHT = 250;
const SMALL_HEIGHT = 78;
const HEADING = 20;

const LEVELS = [
  { key: "order", short: "order", long: "public order" },
  { key: "trust", short: "trust", long: "trust" },
  { key: "info", short: "info", long: "information integrity" },
  { key: "authority", short: "authority", long: "command authority" },
] as const;

function byRound(levels: readonly StationLevels[]): StationLevels[] {
  for (const { round, order, trust, info, authority, power, manipulation } of levels) {
    requireRound("a state of the station", round, 0);
    requireFinite(`a level of round ${round}`, order, trust, info, authority, power, manipulation);
  }
  const sorted = levels.toSorted((a, b) => a.round - b.round);
  const twice = sorted.find(({ round }, i) => round === sorted[i + 1]?.round);
  if (twice) throw new RangeError(`two states for round ${twice.round}: give the one at its end`);
  return sorted;
}

function checkHappenings(
  shocks: readonly TimelineShock[],
  passes: readonly TimelinePass[],
  executions: readonly TimelinePass[],
): void {
  for (const { id, round, severity } of shocks) {
    requireRound(`shock "${id}"`, round);
    requireFinite(`the severity of shock "${id}"`, severity);
  }
  for (const { proposal, round } of [...passes, ...executions]) requireRound(`proposal "${proposal}"`, round);
}

function legendItems({ order, info }: { order: number; info: number }, withPasses: boolean): LegendItem[] {
  return [
    ...LEVELS.map(({ long }, i) => ({ label: long, ...seriesStyle(i) })),
    { label: `order threshold ${fixedText(order, 2)}`, colour: seriesStyle(0).colour, ...THRESHOLD },
    { label: `info threshold ${fixedText(info, 2)}`, colour: seriesStyle(2).colour, ...THRESHOLD },
    ...(withPasses ? [{ label: "a plan passes", colour: INK, dash: "none", thickness: 0.8 }] : []),
  ];
}

const THRESHOLD = { dash: "1 4", thickness: 2 } as const;

function drawPanels(
  canvas: Canvas,
  rounds: readonly StationLevels[],
  { y, thresholds, passed }: { y: number; thresholds: { order: number; info: number }; passed: readonly number[] },
): number {
  const series = LEVELS.map(({ key }, i) => ({ ...seriesStyle(i), points: pointsOf(rounds, (levels) => levels[key]) }));
  const limit = { strokeDasharray: THRESHOLD.dash, strokeWidth: THRESHOLD.thickness };
  const ruled = [
    Plot.ruleX(passed, { stroke: INK, strokeWidth: 0.8 }),
    Plot.ruleY([thresholds.order], { stroke: seriesStyle(0).colour, ...limit }),
    Plot.ruleY([thresholds.info], { stroke: seriesStyle(2).colour, ...limit }),
  ];
  canvas.plot(panel(MAIN_HEIGHT, [0, 1], 5, [...ruled, ...series.flatMap(lineMarks)]), 0, y);
  labelEnds(canvas, rounds.at(-1)!, y);
  const manipulation = pointsOf(rounds, (levels) => levels.manipulation);
  const [, most] = nice(0, Math.max(...rounds.map((levels) => levels.manipulation)) || 1, 2);
  const small = [
    { title: "Power / 100", domain: [0, 1], points: pointsOf(rounds, ({ power }) => power / 100), style: 5 },
    { title: "Manipulation pressure", domain: [0, most], points: manipulation, style: 4 },
  ] as const;
  let below = y + MAIN_HEIGHT;
  for (const { title, domain, points, style } of small) {
    canvas.text(title, LEFT, below + 14, { weight: "bold" });
    canvas.plot(panel(SMALL_HEIGHT, domain, 2, lineMarks({ ...seriesStyle(style), points })), 0, below + HEADING);
    const last = points.findLast(([, value]) => value !== undefined)![1]!;
    const height = SMALL_HEIGHT - 12;
    const at = below + HEADING + 6 + (1 - last / domain[1]) * height;
    canvas.text(fixedText(last, 2), WIDTH - RIGHT + 10, at + 4);
    below += HEADING + SMALL_HEIGHT;
  }
  return below;
}

function panel(
  height: number,
  domain: readonly [number, number],
  ticks: number,
  marks: Plot.Markish[],
): Plot.PlotOptions {
  return {
    ...{ width: WIDTH, height, marginLeft: LEFT, marginRight: RIGHT, marginTop: 6, marginBottom: 6 },
    x: { domain: [-0.5, LAST_ROUND + 0.5], axis: null },
    y: { domain, ticks, label: null },
    marks: [
      Plot.gridY({ ticks, stroke: RULE, strokeOpacity: 1 }),
      Plot.frame({ anchor: "bottom", stroke: INK }),
      ...marks,
    ],
  };
}

type LevelPoint = readonly [round: number, value: number | undefined];

/** One point for every round up to the last that is known; a missing one breaks the line. */
function pointsOf(rounds: readonly StationLevels[], value: (levels: StationLevels) => number): LevelPoint[] {
  return Array.from({ length: rounds.at(-1)!.round + 1 }, (_, round) => {
    const levels = rounds.find((one) => one.round === round);
    return [round, levels && value(levels)] as const;
  });
}

function lineMarks(
  { points, ...style }: { points: readonly LevelPoint[] } & ReturnType<typeof seriesStyle>,
): Plot.Markish[] {
  const { colour, dash } = style;
  return [
    Plot.line(points, { x: "0", y: "1", stroke: colour, strokeDasharray: dash, strokeWidth: 1.8 }),
    symbolMark(points.filter(([, value]) => value !== undefined), style),
  ];
}

/** The last values, named, to the right of the panel. */
function labelEnds(canvas: Canvas, last: StationLevels, y: number): void {
  const height = MAIN_HEIGHT - 12;
  const wanted = LEVELS.map(({ key }) => y + 6 + (1 - last[key]) * height + 4);
  const heights = spreadLabels(wanted, { gap: TEXT_SIZE + 2, top: y + 10, bottom: y + MAIN_HEIGHT });
  LEVELS.forEach(({ key, short }, i) => {
    canvas.text(`${short} ${fixedText(last[key], 2)}`, WIDTH - RIGHT + 10, heights[i]!);
  });
}

function altSentences(
  rounds: readonly StationLevels[],
  { shocks, passes, executions }: Required<Pick<StationTimelineOptions, "shocks" | "passes" | "executions">>,
): string[] {
  const [first, last] = [rounds[0], rounds.at(-1)];
  const when = (round: number) => round === 0 ? "at the start" : `after round ${round}`;
  const list = (what: string, plans: readonly TimelinePass[]) =>
    plans.length === 0
      ? `Nothing was ${what}`
      : `${what}: ${plans.map(({ proposal, round }) => `${proposal} in round ${round}`).join(", ")}`;
  return [
    `Line charts of a station run, ${countText(rounds.length, "state")}, ${countText(shocks.length, "shock")}`,
    ...(first === undefined || last === undefined
      ? []
      : LEVELS.map(({ key, long }) =>
        `${long}: ${fixedText(first[key], 2)} ${when(first.round)}` +
        (last === first ? "" : `, ${fixedText(last[key], 2)} ${when(last.round)}`)
      )),
    list("passed", passes),
    list("executed", executions),
  ];
}
