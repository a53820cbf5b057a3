import { COLOURS, INK, MUTED, RULE } from "../../../figures/palette.ts";
import { type Drawing, drawing } from "../drawing.ts";
import { svgElement } from "../svg_element.ts";
import { type ShownSlope, type SlopeLayout, slopeLayout } from "./slope_layout.ts";

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
