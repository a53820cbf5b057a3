import { CARD, COLOURS, INK, MUTED, RULE, SHADE } from "../../plots/palette.ts";
import { BOUND_ASSUMPTIONS } from "../../quality/published_row.ts";
import { NON_USE } from "../../schema/quality_names.ts";
import { downloadLink, element, later, mount, setText } from "../dom.ts";
import { CARD_STYLE } from "../style.ts";
import type { ExplorerData } from "./data.ts";
import { rankingCsv, weightsJson } from "./exports.ts";
import { summaryText } from "./ranking.ts";
import { type RankedSet, rankedSets } from "./ranking_table.ts";
import { type ExplorerState, PUBLISHED_STATE, withNamed, withThreshold, withWeight } from "./state.ts";
import { thresholdsPanel, weightsPanel } from "./weights_panel.ts";

/** The look of the ranking. Thresholds are drawn by two custom properties, so that one write moves every line. */
const RANKING_STYLE = `
.rankings{max-height:43.4em;overflow-y:auto;border:1px solid ${RULE};border-radius:4px;position:relative}
.ranking + .ranking{border-top:2px solid ${RULE}}
.caption{padding:.55em .85em;background:${SHADE}}
.row{display:grid;grid-template-columns:3.7em 5.1em 11.1em minmax(5.7em,1fr) 7.1em 9.7em;gap:0 .7em;align-items:center;
min-height:1.9em;padding:0 .85em;content-visibility:auto;contain-intrinsic-size:auto 1.9em}
.body .row{border-top:1px solid #f0f0f0}
.head{content-visibility:visible;position:sticky;top:0;z-index:2;background:${CARD};border-bottom:1px solid ${RULE};font-weight:bold;min-height:3em}
.rank{text-align:right}
.change{white-space:nowrap}
.up{color:#00694b}
.down{color:#a33c00}
.undecided,.same{color:${MUTED}}
.name{overflow-wrap:anywhere;line-height:1.25}
.name .muted{display:block;font-size:.85em}
.own .body .row{min-height:2.7em}
.q{white-space:nowrap}
.track{position:relative;align-self:stretch;
background:
linear-gradient(to right,transparent calc(var(--adequate) - .5px),#767676 0,#767676 calc(var(--adequate) + .5px),transparent 0),
linear-gradient(to right,transparent calc(var(--strong) - .5px),${INK} 0,${INK} calc(var(--strong) + .5px),transparent 0),
linear-gradient(to right,${RULE} 1px,transparent 1px) 0/25% 100%}
.mark{position:absolute;top:50%;height:.7em;margin-top:-.35em}
.published .mark{background:${COLOURS[0]};border-radius:2px;min-width:3px}
.own .mark{width:.7em;margin-left:-.35em;background:${COLOURS[1]};transform:rotate(45deg)}
.tick{position:absolute;bottom:.1em;transform:translateX(-50%);font-weight:normal;font-size:.85em;color:${MUTED}}
.tick:first-of-type{transform:none}
.tick:last-of-type{transform:translateX(-100%)}
.thresholds .slider{grid-template-columns:5.7em minmax(4.6em,1fr) 5.7em}
@container (max-width:480px){.thresholds .slider input[type=range]{grid-row:auto;grid-column:auto}}
@container (max-width:832px){
.row{grid-template:"rank name class" "change track q" / 4.9em minmax(0,1fr) 9.4em;gap:.1em .7em;padding:.4em .85em}
.rank{grid-area:rank;text-align:left}.change{grid-area:change}.name{grid-area:name}.class{grid-area:class;text-align:right}
.track{grid-area:track;min-height:1.3em}.q{grid-area:q;text-align:right}
}
@container (max-width:480px){.row{padding:.4em .55em;font-size:.95em;grid-template-columns:4.3em minmax(0,1fr) 8em}}
@media print{.row{content-visibility:visible}.rankings{max-height:none}}
`;

/** A screen reader would otherwise read out every step of a slider. */
const QUIET_MS = 350;

/** Builds the explorer of weights in `root`: state in, what is shown out, and every event goes the same way round. */
function explorer(root: ShadowRoot, data: ExplorerData): void {
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

/** The script of the explorer of weights, as `controls` bundles it. */

mount(explorer);
