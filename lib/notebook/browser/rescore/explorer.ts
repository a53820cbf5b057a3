import { BOUND_ASSUMPTIONS } from "../../../quality/published_row.ts";
import { NON_USE } from "../../../station/non_use.ts";
import { downloadLink } from "../download_link.ts";
import { element, setText } from "../element.ts";
import { later } from "../later.ts";
import { CARD_STYLE } from "../style.ts";
import type { ExplorerData } from "./data.ts";
import { rankingCsv, weightsJson } from "./exports.ts";
import { type RankedSet, rankedSets } from "./ranked_sets.ts";
import { type ExplorerState, PUBLISHED_STATE, withNamed, withThreshold, withWeight } from "./state.ts";
import { RANKING_STYLE } from "./style.ts";
import { summaryText } from "./summary.ts";
import { thresholdsPanel } from "./thresholds_panel.ts";
import { weightsPanel } from "./weights_panel.ts";

/** A screen reader would otherwise hear every step of a slider. */
const QUIET_MS = 350;

/** Builds the explorer of weights in `root`: state in, what is shown out, and every event goes the same way round. */
export function explorer(root: ShadowRoot, data: ExplorerData): void {
  let state = PUBLISHED_STATE;
  const sets = rankedSets(data);
  const status = element("p", { role: "status", "aria-live": "polite", class: "note rule" });
  const say = later(QUIET_MS, () => setText(status, summaryText(state, shownSets(sets))));
  const change = (next: ExplorerState) => {
    state = next;
    show();
  };
  const panels = [
    weightsPanel({
      onWeight: (name, weight) => change(withWeight(state, name, weight)),
      onNamed: (name) => change(withNamed(state, name)),
      onReset: () => change(PUBLISHED_STATE),
    }),
    thresholdsPanel((name, at) => change(withThreshold(state, name, at))),
  ];
  const show = () => {
    for (const panel of panels) panel.show(state);
    for (const set of sets) set.show(state);
    say();
  };
  root.append(
    element("style", {}, CARD_STYLE, RANKING_STYLE),
    element(
      "div",
      { class: "card", role: "group", "aria-label": "Explorer of weights" },
      ...panels.map((panel) => panel.element),
      setChoice(sets, say),
      status,
      element(
        "div",
        { class: "rankings", role: "region", "aria-label": "Rankings", tabindex: "0" },
        ...sets.map((set) => set.element),
      ),
      downloads(() => state, sets),
      assumptions(),
    ),
  );
  show();
}

const shownSets = (sets: readonly RankedSet[]) => sets.filter((set) => !set.element.hidden);

function setChoice(sets: readonly RankedSet[], onChange: () => void): HTMLElement {
  const boxes = sets.map((set) => {
    const box = element("input", { type: "checkbox", checked: true, autocomplete: "off" });
    box.addEventListener("change", () => {
      set.element.hidden = !box.checked;
      onChange();
    });
    return element("label", {}, box, ` ${set.title} (${set.entries.length})`);
  });
  return element("fieldset", {}, element("legend", {}, "Runs shown"), element("div", { class: "bar" }, ...boxes));
}

function downloads(state: () => ExplorerState, sets: readonly RankedSet[]): HTMLElement {
  const ranking = downloadLink({
    ...{ file: "ranking.csv", type: "text/csv", words: "the ranking as shown (CSV)" },
    text: () => rankingCsv(shownSets(sets)),
  });
  const weights = downloadLink({
    ...{ file: "weights.json", type: "application/json", words: "the weights it used (JSON)" },
    text: () => weightsJson(state().weights),
  });
  return element("p", {}, "Download ", ranking, " · ", weights);
}

function assumptions(): HTMLElement {
  return element(
    "div",
    { class: "rule" },
    element("p", {}, element("strong", {}, "Intervals of published runs assume: ")),
    element("ul", {}, ...BOUND_ASSUMPTIONS.map((words) => element("li", {}, `${words}.`))),
    element("p", {}, element("strong", {}, "Not for use: "), NON_USE),
  );
}
