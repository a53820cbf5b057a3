import { downloadLink } from "../download_link.ts";
import { element, setText } from "../element.ts";
import type { CommitteeData } from "./data.ts";
import { chartLegend, divergenceChart } from "./divergence_chart.ts";
import { divergenceCsv } from "./exports.ts";
import { measurePanel } from "./measure_panel.ts";
import { drawnLaw } from "./measures.ts";
import { type Measured, measuring } from "./measuring.ts";
import { lawsTable, slopeResults } from "./results_panel.ts";
import { slopeStrip } from "./slope_strip.ts";
import { chartText, drawnLawText, stripText, summaryText, zerosText } from "./texts.ts";

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
