import * as z from "zod";
import { COLOURS, INK, MUTED, RULE, SHADE } from "../../plots/palette.ts";
import { BOUND_ASSUMPTIONS } from "../../quality/published_row.ts";
import { COMPONENTS, NON_USE } from "../../schema/quality_names.ts";
import { downloadLink, element, inFrames, later, mount, setText } from "../dom.ts";
import { addressed, REST_MS } from "../fragment.ts";
import { button } from "../inputs.ts";
import { pictureLinks, plotPlace } from "../plot_place.ts";
import { CARD_STYLE } from "../style.ts";
import type { ExplorerData } from "./data.ts";
import { ownFiles } from "./files.ts";
import { firstShares, firstStretches } from "./first.ts";
import { familyRows, type Listed, type ListedRun, openListing, rankingCsv, summaryText } from "./listing.ts";
import { comparePair, knownComponents } from "./pair.ts";
import {
  breakdownPicture,
  familiesPicture,
  firstPicture,
  type FirstShare,
  type PickedWeight,
  type Stretch,
} from "./pictures.ts";
import { runsPanel, weightsPanel } from "./settings.ts";
import { cellCode, FRAGMENT, PRESETS, settled, withRun, withWeight } from "./state.ts";
import { type RankingTable, rankingTable } from "./table.ts";

/** The look of the ranking. Thresholds are drawn by two custom properties, so that one write moves every line. */
const RANKING_STYLE = `
.rankings{max-height:36em;overflow-y:auto;border:1px solid ${RULE};border-radius:4px;position:relative;--exact:${
  COLOURS[1]
}}
.ranking + .ranking{border-top:2px solid ${RULE}}
.caption{padding:.55em .85em;background:${SHADE};margin:0}
.row{display:grid;grid-template-columns:3.7em 4.6em 11.1em minmax(5.7em,1fr) 7.1em 9.2em;gap:0 .7em;align-items:center;
min-height:2em;padding:0 .85em;content-visibility:auto;contain-intrinsic-size:auto 2em}
.body .row{border-top:1px solid #f0f0f0;cursor:pointer}
.body .row:hover{background:${SHADE}}
.row[hidden]{display:none}
.head{content-visibility:visible;position:sticky;top:0;z-index:2;background:#fff;border-bottom:1px solid ${RULE};font-weight:bold;min-height:3em}
.rank{text-align:right}
.change,.q{white-space:nowrap}
.up{color:#00694b}
.down{color:#a33c00}
.undecided,.same{color:${MUTED}}
.name{overflow-wrap:anywhere;line-height:1.25}
.name .muted{display:block;font-size:.85em}
.pick{border:0;background:none;padding:0;text-align:left;border-radius:0}
.pick[aria-pressed=true]{font-weight:bold;text-decoration:underline}
.track{position:relative;align-self:stretch;
background:
linear-gradient(to right,transparent calc(var(--adequate) - .5px),#767676 0,#767676 calc(var(--adequate) + .5px),transparent 0),
linear-gradient(to right,transparent calc(var(--strong) - .5px),${INK} 0,${INK} calc(var(--strong) + .5px),transparent 0),
linear-gradient(to right,${RULE} 1px,transparent 1px) 0/25% 100%}
.mark{position:absolute;top:50%;height:.7em;margin-top:-.35em;background:${COLOURS[0]};min-width:3px}
.tick{position:absolute;bottom:.1em;transform:translateX(-50%);font-weight:normal;font-size:.85em;color:${MUTED}}
.tick:first-of-type{transform:none}
.tick:last-of-type{transform:translateX(-100%)}
.lock{white-space:nowrap;font-size:.9em}
@container (max-width:1100px){
.row{grid-template:"rank name class" "change track q" / 4.9em minmax(0,1fr) 9.4em;gap:.1em .7em;padding:.4em .85em}
.rank{grid-area:rank;text-align:left}.change{grid-area:change}.row .name{grid-area:name}.class{grid-area:class;text-align:right}
.track{grid-area:track;min-height:1.3em}.q{grid-area:q;text-align:right}
}
@container (max-width:480px){.row{padding:.4em .55em;font-size:.95em;grid-template-columns:4.3em minmax(0,1fr) 8em}}
@media print{.row{content-visibility:visible}.rankings{max-height:none}}
`;

/** A pause after which is reckoned what takes longer than a frame. */
const SLOW_MS = 150;

/** Builds the explorer of weights in `root`. */
function explorer(root: ShadowRoot, data: ExplorerData): void {
  const opening = settled({ ...PRESETS[0]!.state, components: data.components }), listing = openListing(data);
  let state = opening, all: Listed[] = [], find = "", pointed: string | undefined;
  let stretches: Stretch[] = [], shares: FirstShare[] = [];
  const { notice, move, begin } = addressed({
    ...{ root, opening, settled, write: FRAGMENT.write, read: FRAGMENT.read },
    show(next) {
      state = next;
      for (const part of parts) part.show(state);
      rank();
      redraw();
      reckon();
      say();
    },
  });
  const parts = [weightsPanel(move), runsPanel(listing.count, move)];
  const lists = rankingLists({
    onPoint: (id) => {
      // What was pointed at last stays, so that nothing jumps on the way to it.
      if (id === undefined || id === pointed) return;
      pointed = id;
      point();
    },
    onPick: (id) => move((state) => ({ ...state, runs: withRun(state.runs, id) })),
  });
  const rank = () => {
    all = listing.show(state);
    lists.show(all, { thresholds: state.thresholds, find, picked: state.runs });
  };
  const status = element("p", { role: "status" });
  const say = later(REST_MS, () => setText(status, summaryText(state, all)));
  /** The run that is read, then the one it is compared with. */
  const read = (): ListedRun[] => {
    const first = all[0], firstTwo = first?.ranking.order.slice(0, 2).map((i) => first.runs[i]!.id) ?? [];
    const picked = state.runs.length > 0 ? state.runs : firstTwo;
    return (pointed === undefined ? picked : withRun(picked, pointed)).flatMap((id) => listing.find(id) ?? []);
  };
  const families = plotPlace(
    "families",
    (width) => all.length === 0 ? undefined : familiesPicture(all.flatMap(familyRows), width),
  );
  const breakdown = plotPlace("breakdown", (width) => {
    const runs = read().map(({ name: label, entry }) => ({ label, components: knownComponents(entry, state.weights) }));
    return runs.length === 0
      ? undefined
      : breakdownPicture(width < 500 ? runs.slice(0, 1) : runs, state.weights, width);
  });
  const first = plotPlace(
    "first",
    (width) => stretches.length === 0 ? undefined : firstPicture(stretches, { weights: state.weights, shares, width }),
    (row) => {
      const { component, at } = row as PickedWeight;
      move((state) => ({ ...state, weights: withWeight(state, component, at) }));
    },
  );
  const code = element("pre", { tabindex: "0" });
  const redraw = inFrames([
    () => breakdown.redraw(),
    () => families.redraw(),
    () => first.redraw(),
    () => setText(code, cellCode(state, data.path)),
  ]);
  const pair = element("div", { class: "pair", "aria-live": "polite" });
  const compare = () => {
    const [a, b] = read();
    if (a === undefined || b === undefined) return pair.replaceChildren("Click two runs to compare them.");
    const { sentences, targets } = comparePair(a, b, state);
    pair.replaceChildren(
      ...sentences.map((words) => element("p", {}, words)),
      element(
        "p",
        { class: "bar" },
        ...targets.map(({ label, weights }) => button(label, () => move((state) => ({ ...state, weights })))),
      ),
    );
  };
  const point = later(60, () => {
    breakdown.redraw();
    compare();
  });
  const along = (name: string) => {
    if (all[0] !== undefined) stretches.push(...firstStretches(all[0], state, name));
  };
  /** Who is first along every weight, a weight a frame: with hundreds of runs each takes most of one. */
  const alongWeights = inFrames([
    compare,
    () => {
      shares = all[0] === undefined ? [] : firstShares(all[0], state.components);
      stretches = [];
    },
    ...COMPONENTS.map((name) => () => along(name)),
    () => Object.keys(state.components ?? {}).forEach(along),
    () => first.redraw(),
  ]);
  const reckon = later(SLOW_MS, alongWeights);
  const search = element("input", {
    type: "search",
    autocomplete: "off",
    "aria-label": "Find a run",
    placeholder: "Find a run",
  });
  search.addEventListener("input", () => {
    find = search.value;
    rank();
  });
  const files = ownFiles({
    onRuns(entries) {
      listing.give(entries);
      move((state) => ({ ...state, sets: [...new Set([...state.sets, "yours" as const])] }));
    },
    onWeights: (weights, components) =>
      move((state) => ({ ...state, weights, components, locked: state.locked.filter((name) => name in weights) })),
  });
  const presets = PRESETS.map(({ label, state: { weights } }) =>
    button(label, () => move((state) => ({ ...state, weights })))
  );
  const figure = (title: string, about: string, place: typeof first, file: string) => [
    element("p", { class: "title" }, title),
    element("p", { class: "muted" }, about),
    place.element,
    element("p", { class: "bar" }, ...pictureLinks(file, place)),
  ];
  root.append(
    element("style", {}, CARD_STYLE, RANKING_STYLE),
    element(
      "div",
      { class: "card", role: "group", "aria-label": "Explorer of weights" },
      element("p", { class: "bar presets" }, ...presets, button("Reset", () => move(() => opening))),
      notice,
      element(
        "div",
        { class: "explorer" },
        element("div", { class: "settings" }, ...parts.map(({ element }) => element), files),
        element(
          "div",
          { class: "shown" },
          search,
          element("div", { class: "rankings", role: "region", "aria-label": "Rankings", tabindex: "0" }, lists.element),
          status,
          element(
            "p",
            { class: "bar" },
            downloadLink({
              file: "ranking.csv",
              type: "text/csv",
              words: "Ranking (CSV)",
              text: () => rankingCsv(all, state),
            }),
            downloadLink({
              ...{ file: "weights.json", type: "application/json", words: "Weights (JSON)" },
              text: () => `${JSON.stringify({ ...state.weights, components: state.components }, null, 2)}\n`,
            }),
          ),
          ...figure(
            "Two runs",
            "Point at a run or click it to read its components; the one clicked before it stays beside it. Dark is earned for certain, pale perhaps.",
            breakdown,
            "components",
          ),
          pair,
          ...figure(
            "Who is first under other weights?",
            "Each line is one weight from none to all; pale where the first place is not certain, grey where others are first. Percentages: first for certain + perhaps, of 500 weightings, each as likely as any other. Black: the weights as they are. Click a place to go there.",
            first,
            "first-place",
          ),
          ...figure(
            "Means by model or council",
            "A bar spans what is possible; diamonds: the mean of the printed q.",
            families,
            "families",
          ),
          element("details", {}, element("summary", {}, "The code of a cell that makes the same numbers"), code),
        ),
      ),
      assumptions(),
    ),
  );
  begin();
}

/** A table for each ranking; made anew only when other runs are ranked. */
function rankingLists(options: Parameters<typeof rankingTable>[1]) {
  const place = element("div", {});
  let made: { runs: Listed["runs"]; table: RankingTable }[] = [];
  return {
    element: place,
    show(all: readonly Listed[], how: Parameters<RankingTable["show"]>[1]) {
      const next = all.map((listed) =>
        made.find(({ runs }) => runs === listed.runs) ?? { runs: listed.runs, table: rankingTable(listed, options) }
      );
      if (next.length !== made.length || next.some((one, i) => one !== made[i])) {
        place.replaceChildren(...next.map(({ table }) => table.element));
      }
      made = next;
      for (const [i, listed] of all.entries()) made[i]!.table.show(listed, how);
    },
  };
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

// Compiled checks would need a policy that lets text be run.
z.config({ jitless: true });

/** The script of the explorer of weights, as `controls` bundles it. */
mount(explorer);
