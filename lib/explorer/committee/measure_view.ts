import { csvText } from "../../core/csv.ts";
import { downloadLink, element, setText } from "../dom.ts";
import type { CommitteeData } from "./data.ts";
import { chartLegend, divergenceChart } from "./divergence_chart.ts";
import { measurePanel } from "./measure_panel.ts";
import { drawnLaw, type Measured, measuring } from "./measures.ts";
import { lawsTable, slopeResults } from "./results_panel.ts";
import { slopeStrip } from "./slope_strip.ts";
import { chartText, drawnLawText, stripText, summaryText, zerosText } from "./texts.ts";

const HEADER = [
  ...["condition", "synthetic", "replicates", "round", "D", "ln_D", "in_window", "D_fitted", "law", "D_law"],
  ...["from", "to", "lambda", "low", "high"],
];

/**
 * D(t) as shown, one line a round, with the fit, the drawn law and the slope of the window. What is not known, or not yet
 * worked out, is an empty cell.
 */
export function divergenceCsv(measured: Measured): string {
  const { condition: { label, synthetic }, replicates, from, to } = measured.state;
  const { D, slope: { lambda, intercept } } = measured.quick;
  const { low, high } = measured.careful.bootstrap ?? {};
  const law = drawnLaw(measured);
  const rows = D.map((d, i) => {
    const round = i + 1, inWindow = round >= from && round <= to;
    const fitted = inWindow && lambda !== undefined && intercept !== undefined
      ? Math.exp(intercept + lambda * round)
      : undefined;
    return [
      ...[label, synthetic, replicates, round, d, d > 0 ? Math.log(d) : undefined, inWindow, fitted],
      ...[law?.law, law?.fitted[round - from], from, to, lambda, low, high],
    ];
  });
  return csvText([HEADER, ...rows]);
}

/** How the replicates of one condition part: D(t), λ̂ with its intervals, and laws of growth, as the reader sets them. */
export function measureView(data: CommitteeData): HTMLElement {
  const measures = measuring(data, () => show(), () => setText(status, summaryText(measures.now())));
  const panel = measurePanel(data.conditions, measures.move);
  const chart = divergenceChart(() => chartContent(measures.now()));
  const strip = slopeStrip(() => stripContent(measures.now()));
  const results = slopeResults(), laws = lawsTable();
  const lawName = document.createTextNode(""), zeros = element("p", { class: "note muted" });
  const status = element("p", { role: "status", "aria-live": "polite", class: "note" });
  const show = () => {
    const measured = measures.now();
    panel.show(measured.state);
    results.show(measured);
    laws.show(measured);
    setText(lawName, drawnLawText(measured));
    setText(zeros, zerosText(measured.quick));
    chart.redraw();
    strip.redraw();
  };
  show();
  return element(
    "section",
    { "aria-label": TITLE },
    element("p", { class: "title" }, TITLE),
    panel.element,
    element(
      "div",
      { class: "columns" },
      element("div", {}, chartLegend(lawName), chart.element, zeros),
      element("div", {}, results.element, strip.element),
    ),
    status,
    laws.element,
    element("p", {}, "Download ", download(measures.now)),
  );
}

const TITLE = "How replicates part";

const chartContent = (measured: Measured) => {
  const { state: { from, to, scale }, quick: { D, slope: { lambda, intercept } } } = measured;
  const law = drawnLaw(measured)?.fitted;
  return { D, from, to, scale, lambda, intercept, law, label: chartText(measured) };
};

const stripContent = (measured: Measured) => {
  const { quick: { references, slope: { lambda } }, careful: { bootstrap } } = measured;
  return { references, lambda, low: bootstrap?.low, high: bootstrap?.high, label: stripText(measured) };
};

function download(now: () => Measured): HTMLElement {
  return downloadLink({
    ...{ file: "divergence.csv", type: "text/csv", words: "D(t) as shown (CSV)" },
    text: () => divergenceCsv(now()),
  });
}
