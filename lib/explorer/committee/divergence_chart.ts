import { COLOURS, INK, MUTED, RULE, SHADE } from "../../plots/palette.ts";
import { element, svgElement } from "../dom.ts";
import { type Drawing, drawing } from "../drawing.ts";
import { CHART_HEIGHT, type ChartContent, type ChartLayout, chartLayout, type Tick } from "./chart_layout.ts";
import type { Scale } from "./state.ts";

interface ShownChart extends ChartContent {
  readonly scale: Scale;
  /** The chart in words. */
  readonly label: string;
}

/** D(t) or ln D(t), the window, the fitted line and a law of growth. */
export function divergenceChart(shown: () => ShownChart): Drawing {
  return drawing({
    class: "chart",
    draw(width) {
      const { label, scale, ...content } = shown();
      const layout = chartLayout(content, { width, scale });
      return { height: CHART_HEIGHT, label, marks: chartMarks(layout, scale) };
    },
  });
}

const [MEASURED, FIT, LAW] = [COLOURS[0], COLOURS[1], COLOURS[2]];

function chartMarks({ frame, window, points, xTicks, yTicks, ...paths }: ChartLayout, scale: Scale): SVGElement[] {
  const { left, right, top, bottom } = frame;
  const name = scale === "log" ? "ln D(t)" : "D(t)";
  const middle = (top + bottom) / 2;
  return [
    svgElement("rect", { ...window, y: top, height: bottom - top, fill: SHADE }),
    ...yTicks.flatMap((tick) => yTick(tick, left, right)),
    ...xTicks.map(({ at, text }) => svgElement("text", { x: at, y: bottom + 17, "text-anchor": "middle" }, text)),
    svgElement("path", { d: `M${left} ${bottom}H${right}`, stroke: INK }),
    svgElement("text", { x: (left + right) / 2, y: bottom + 35, "text-anchor": "middle" }, "Round t"),
    svgElement("text", { transform: `translate(13 ${middle}) rotate(-90)`, "text-anchor": "middle" }, name),
    line(paths.fit, { class: "fit", stroke: FIT, "stroke-width": 5, "stroke-opacity": 0.45 }),
    line(paths.law, { class: "law", stroke: LAW, "stroke-width": 2, "stroke-dasharray": "7 3" }),
    line(paths.curve, { class: "curve", stroke: MEASURED, "stroke-width": 1.5 }),
    ...points.map(({ x, y, fitted }) =>
      svgElement("circle", { cx: x, cy: y, r: 3.5, stroke: MEASURED, fill: fitted ? MEASURED : "#fff" })
    ),
  ];
}

const yTick = ({ at, text }: Tick, left: number, right: number): SVGElement[] => [
  svgElement("path", { d: `M${left} ${at.toFixed(1)}H${right}`, stroke: RULE }),
  svgElement("text", { x: left - 6, y: at + 4, "text-anchor": "end", fill: MUTED }, text),
];

const line = (d: string, look: Readonly<Record<string, string | number>>): SVGPathElement =>
  svgElement("path", { d, fill: "none", ...look });

/** What the chart's signs mean. */
export function chartLegend(lawName: Text): HTMLElement {
  const key = (mark: SVGElement, ...words: (Node | string)[]) =>
    element("span", { class: "key" }, keyDrawing(mark), ...words);
  return element(
    "p",
    { class: "bar legend" },
    key(svgElement("circle", { cx: 12, cy: 7, r: 3.5, fill: MEASURED, stroke: MEASURED }), "measured, in the window"),
    key(svgElement("circle", { cx: 12, cy: 7, r: 3.5, fill: "#fff", stroke: MEASURED }), "outside it"),
    key(line("M0 7H24", { stroke: FIT, "stroke-width": 5, "stroke-opacity": 0.45 }), "least-squares line of ln D"),
    key(line("M0 7H24", { stroke: LAW, "stroke-width": 2, "stroke-dasharray": "7 3" }), "law: ", lawName),
  );
}

/** A small drawing beside words that say what it is. */
export const keyDrawing = (...marks: SVGElement[]): SVGElement =>
  svgElement("svg", { width: 24, height: 14, "aria-hidden": "true" }, ...marks);
