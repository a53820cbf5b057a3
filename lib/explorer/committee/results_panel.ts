import { fixedText, LAMBDA, share as shareText } from "../../core/numbers.ts";
import { GROWTH_LAWS } from "../../stats/growth_law_fits.ts";
import type { GrowthLaws } from "../../stats/growth_laws.ts";
import { element, setText } from "../dom.ts";
import type { Measured } from "./measures.ts";
import { bestLawText, estimateText, LAW_NAMES, PENDING, percentileText, slopeText, studentisedTexts } from "./texts.ts";

/** A part of the explorer that follows what was measured. */
interface ResultsPanel {
  readonly element: HTMLElement;
  show(measured: Measured): void;
}

/** λ̂ with its intervals, as words. */
export function slopeResults(): ResultsPanel {
  const rows = {
    lambda: `${LAMBDA}, nats per round`,
    percentile: "95 % interval, percentile",
    studentised: "95 % interval, studentised",
    p: "p if there is no growth, studentised",
    law: "law of growth",
  };
  const outputs = Object.entries(rows).map(([key, words]) => ({
    words,
    value: element("dd", { class: `result ${key}` }),
  }));
  const [lambda, percentile, studentised, p, law] = outputs.map(({ value }) => value);
  return {
    element: element(
      "dl",
      { class: "results" },
      ...outputs.map(({ words, value }) => element("div", {}, element("dt", {}, words), value)),
    ),
    show({ quick, careful: { bootstrap, laws } }) {
      const beside = studentisedTexts(bootstrap);
      setText(lambda!, slopeText(quick));
      setText(percentile!, percentileText(bootstrap));
      setText(studentised!, beside.interval);
      setText(p!, beside.p);
      setText(law!, bestLawText(laws));
    },
  };
}

/** Every law with how well it fits. */
export function lawsTable(): ResultsPanel {
  const rows = GROWTH_LAWS.map((law) => {
    const cells = COLUMNS.slice(1).map(() => element("td"));
    const row = element("tr", {}, element("th", { scope: "row" }, LAW_NAMES[law]), ...cells);
    return { law, row, cells };
  });
  const head = COLUMNS.map((words) => element("th", { scope: "col" }, words));
  const body = element("tbody", {}, ...rows.map(({ row }) => row));
  return {
    element: element(
      "details",
      {},
      element("summary", {}, "Six laws of growth, compared"),
      element(
        "div",
        { class: "scroll", role: "region", "aria-label": "Laws of growth", tabindex: "0" },
        element("table", {}, element("thead", {}, element("tr", {}, ...head)), body),
      ),
    ),
    show({ careful: { laws } }) {
      for (const { law, row, cells } of rows) {
        row.classList.toggle("best", laws?.best === law);
        lawTexts(laws, law).forEach((text, i) => setText(cells[i]!, text));
      }
    },
  };
}

const COLUMNS = ["Law", "Parameters", "AICc above the best", "Best in resamples", "As fitted"];

function lawTexts(laws: GrowthLaws | undefined, law: string): string[] {
  const found = laws?.laws.find((one) => one.law === law);
  if (found === undefined) return COLUMNS.slice(1).map(() => laws === undefined ? PENDING : "–");
  const { parameters, excess, share, estimate } = found;
  return [String(parameters), fixedText(excess, 1), shareText(share), estimateText(estimate)];
}
