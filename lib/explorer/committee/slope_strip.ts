import { ticks } from "d3-array";
import { fixedText, shortText } from "../../core/numbers.ts";
import { COLOURS, INK, MUTED, RULE } from "../../plots/palette.ts";
import type { ReferenceSlopes } from "../../stats/reference_slopes.ts";
import { svgElement } from "../dom.ts";
import { type Drawing, drawing } from "../drawing.ts";
import { linearScale, type Tick } from "./chart_layout.ts";

/** A slope on the strip with its interval, as far as they exist. */
interface ShownSlope {
  readonly lambda?: number | undefined;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly references: ReferenceSlopes;
}

interface Reference {
  readonly name: string;
  readonly x: number;
  readonly text: string;
  /** Whether its words stand left of its line, where there is no room on the right. */
  readonly before: boolean;
}

interface SlopeLayout {
  readonly ticks: readonly Tick[];
  readonly references: readonly Reference[];
  readonly dot?: number;
  readonly bar?: readonly [number, number];
}

/** The growth that needs no sensitivity, as the strip names it. */
const REFERENCE_NAMES = {
  steady: "steady",
  randomWalk: "random walk, √t",
  ballistic: "straight paths, t",
} as const;

/** Where everything of the strip stands across `width` pixels. */
export function slopeLayout({ lambda, low, high, references }: ShownSlope, width: number): SlopeLayout {
  const named = Object.entries(REFERENCE_NAMES).map(([key, name]) => ({
    name,
    slope: references[key as keyof typeof REFERENCE_NAMES],
  }));
  const values = [lambda, low, high, ...named.map(({ slope }) => slope)].filter((value) => value !== undefined);
  const least = Math.min(...values), most = Math.max(...values), spare = 0.08 * (most - least);
  const domain = [least - spare, most + spare] as const;
  const x = linearScale(domain, [8, width - 8]);
  return {
    ticks: ticks(...domain, width < 500 ? 3 : 6).map((value) => ({ at: x(value), text: shortText(value) })),
    references: named.map(({ name, slope }) => ({
      name,
      x: x(slope),
      text: `${name}: ${fixedText(slope)}`,
      before: x(slope) > width / 2,
    })),
    ...(lambda === undefined ? {} : { dot: x(lambda) }),
    ...(low === undefined || high === undefined ? {} : { bar: [x(low), x(high)] as const }),
  };
}

/** λ̂ with its interval on a line, among the slopes that growth without sensitivity has over the same window. */
export function slopeStrip(shown: () => ShownSlope & { readonly label: string }): Drawing {
  return drawing({
    class: "strip",
    draw(width) {
      const { label, ...slope } = shown();
      return { height: HEIGHT, label, marks: stripMarks(slopeLayout(slope, width), width) };
    },
  });
}

/** Each reference has a line of words of its own: over some windows their slopes nearly meet. */
const LANE = 18;
const AXIS = 3 * LANE + 34;
const HEIGHT = AXIS + 24;

function stripMarks({ ticks, references, dot, bar }: SlopeLayout, width: number): SVGElement[] {
  const y = 3 * LANE + 16;
  return [
    svgElement("path", { d: `M8 ${AXIS}H${width - 8}`, stroke: INK }),
    ...ticks.flatMap(({ at, text }) => [
      svgElement("path", { d: `M${at.toFixed(1)} ${AXIS}v5`, stroke: INK }),
      svgElement("text", { x: at, y: AXIS + 19, "text-anchor": "middle", fill: MUTED }, text),
    ]),
    ...references.flatMap(({ x, text, before }, i) => [
      svgElement("path", { d: `M${x.toFixed(1)} ${i * LANE + 6}V${AXIS}`, stroke: i === 0 ? RULE : MUTED, ...DASHED }),
      svgElement(
        "text",
        {
          x: x + (before ? -5 : 5),
          y: i * LANE + 14,
          "font-size": 12,
          "text-anchor": before ? "end" : "start",
          ...HALO,
        },
        text,
      ),
    ]),
    ...(bar === undefined ? [] : [
      svgElement("path", { class: "interval", d: `M${bar[0].toFixed(1)} ${y}H${bar[1].toFixed(1)}`, ...BAR }),
    ]),
    ...(dot === undefined
      ? []
      : [svgElement("circle", { class: "slope", cx: dot, cy: y, r: 6, fill: COLOURS[1], stroke: "#fff" })]),
  ];
}

const DASHED = { "stroke-dasharray": "4 3" };
const BAR = { stroke: COLOURS[1], "stroke-width": 4, "stroke-opacity": 0.55 };
/** Words stand over lines of other references. */
const HALO = { stroke: "#fff", "stroke-width": 4, "paint-order": "stroke", "stroke-linejoin": "round" };
