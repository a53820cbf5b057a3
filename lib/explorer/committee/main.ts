import * as z from "zod";
import { COLOURS, MUTED, RULE } from "../../plots/palette.ts";
import { referenceSlopes } from "../../stats/reference_slopes.ts";
import { downloadLink, element, inFrames, later, mount, setText } from "../dom.ts";
import { addressed, REST_MS } from "../fragment.ts";
import { filesPanel } from "../files.ts";
import { button } from "../inputs.ts";
import { pictureLinks, plotPlace } from "../plot_place.ts";
import { CARD_STYLE } from "../style.ts";
import type { CommitteeData } from "./state.ts";
import { divergencePicture, type Known, type Picked, replicatesPicture, slopesPicture } from "./pictures.ts";
import { type GivenRuns, readRuns } from "./given.ts";
import { readingView } from "./reading.ts";
import { type Job, server } from "./serve.ts";
import { committeeSettings, comparisonSwitch, mechanismSettings, sharedSettings } from "./settings.ts";
import { cellCode, fromFragment, settled, type State, toFragment } from "./state.ts";
import { openStore } from "./store.ts";
import { differenceWords, divergenceCsv, resultRows, summaryWords } from "./texts.ts";

/** The look of the table of results. */
const COMMITTEE_STYLE = `
table{border-collapse:collapse;width:100%}
th,td{padding:.2em .5em;text-align:left;border-bottom:1px solid ${RULE};vertical-align:top}
tbody th{font-weight:normal;color:${MUTED}}
thead .a{color:${COLOURS[0]}}
thead .b{color:#a34700}
thead .c{color:#00694b}
.words p{overflow-wrap:anywhere}
`;

/** Builds the explorer of committees in `root`: committees are chosen, run and compared in the page. */
function explorer(root: ShadowRoot, data: CommitteeData): void {
  const opening = settled(data.presets[0]!.state);
  let state = opening, wanted: State | undefined, known: readonly Known[] = [];
  const { notice, move, begin } = addressed({
    ...{ root, opening, settled, write: toFragment, read: (fragment) => fromFragment(fragment, data) },
    show(next) {
      state = next;
      for (const part of parts) part.show(state);
      second.element.hidden = state.committees.length < 2;
      redraw();
    },
  });
  const store = openStore(data, () => redraw());
  const second = committeeSettings(data, 1, move);
  const reading = readingView(data, store, move);
  const parts = [
    ...[committeeSettings(data, 0, move), comparisonSwitch(move), second, sharedSettings(move)],
    ...[mechanismSettings(data, move), reading],
  ];
  const results = resultsView();
  /** Without the reader's own runs. */
  const made = () => known.slice(0, state.committees.length);
  const divergence = plotPlace("divergence", (width) => divergencePicture(known, state, width));
  const slopes = plotPlace(
    "slopes",
    (width) => slopesPicture(known, referenceSlopes({ from: state.from, to: state.to }), width),
  );
  const replicates = plotPlace(
    "replicates",
    (width) =>
      made().every(({ complete }) => complete.length > 0)
        ? replicatesPicture(made(), state, Math.min(width, 560))
        : undefined,
    (row) => {
      const { committee, replicate } = row as Picked;
      move((state) => ({ ...state, shown: { ...state.shown, committee, replicate } }));
    },
  );
  const progress = element("p", { class: "muted progress" });
  const status = element("p", { role: "status" });
  const tell = later(REST_MS, () => {
    const measures = store.measures(state);
    if (store.missing(state) === 0 && (measures || known.some(({ D }) => D === undefined))) {
      setText(status, summaryWords(known, measures, state));
    }
  });
  const code = element("pre", { tabindex: "0" });
  const redraw = inFrames([
    () => {
      if (wanted !== state) store.want(wanted = state);
      known = store.known(state);
      const missing = store.missing(state), all = state.replicates * state.committees.length;
      setText(progress, `${all - missing} of ${all} runs made in ${store.where()}`);
      results.show(known, state.committees.length === 2 ? differenceWords(store.measures(state)) : undefined);
      divergence.redraw();
    },
    () => slopes.redraw(),
    () => replicates.redraw(),
    () => {
      reading.redraw(known);
      setText(code, cellCode(state));
      tell();
    },
  ]);
  const give = (runs: GivenRuns | undefined) => {
    wanted = undefined; // What was measured lacks them.
    store.give(runs);
  };
  const files = filesPanel({
    legend: "Runs of your own",
    about:
      "Drop, choose or paste a ledger (.jsonl), or runs one a line with their trajectory or rounds; they appear as C. " +
      "Nothing is sent; a reload forgets them, and the address does not hold them.",
    wanted: /\.jsonl$/,
    take(text, name) {
      const runs = readRuns(text, name);
      give(runs);
      return [
        `C is ${runs.name}: ${runs.means.length} complete runs${runs.leftOut > 0 ? `, ${runs.leftOut} left out` : ""}.`,
      ];
    },
    done: () => [],
    remove: () => give(undefined),
  });
  const presets = data.presets.map(({ label, state: preset }) => button(label, () => move(() => preset)));
  root.append(
    element("style", {}, CARD_STYLE, COMMITTEE_STYLE),
    element(
      "div",
      { class: "card", role: "group", "aria-label": "Explorer of committees" },
      element("p", { class: "bar presets" }, ...presets, button("Reset", () => move(() => opening))),
      notice,
      element(
        "div",
        { class: "explorer" },
        element("div", { class: "settings" }, ...parts.slice(0, 5).map((part) => part.element), files),
        element(
          "div",
          { class: "shown" },
          progress,
          divergence.element,
          element(
            "p",
            { class: "muted" },
            "Thick: least-squares line of ln D. Dashed: the best law of growth. Filled points are fitted.",
          ),
          slopes.element,
          results.element,
          status,
          element(
            "p",
            { class: "bar" },
            downloadLink({
              file: "divergence.csv",
              type: "text/csv",
              words: "Data (CSV)",
              text: () => divergenceCsv(known, state),
            }),
            ...pictureLinks("divergence", divergence),
            downloadLink({
              file: "state.json",
              type: "application/json",
              words: "Settings (JSON)",
              text: () => JSON.stringify(state, null, 2),
            }),
          ),
          element("details", {}, element("summary", {}, "The code of a cell that makes the same numbers"), code),
          element("p", { class: "title" }, "Replicates"),
          element("p", { class: "muted" }, "Every line is one run's committee mean. Click one to read it."),
          replicates.element,
        ),
      ),
      reading.element,
    ),
  );
  begin();
}

/** Every result, a column a committee. */
function resultsView() {
  const body = element("tbody", {});
  const head = element("tr", {});
  const place = element("p", {});
  return {
    element: element(
      "div",
      {},
      element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), body)),
      place,
    ),
    show(known: readonly Known[], difference: string | undefined) {
      const columns = known.map(resultRows);
      head.replaceChildren(
        element("td", {}),
        ...known.map(({ sign, label }) =>
          element("th", { scope: "col", class: sign.toLowerCase() }, `${sign}: ${label}`)
        ),
      );
      body.replaceChildren(...columns[0]!.map(([name], i) =>
        element(
          "tr",
          { "data-result": name },
          element("th", { scope: "row" }, name),
          ...columns.map((rows) => element("td", {}, rows[i]![1])),
        )
      ));
      setText(place, difference === undefined ? "" : `Δλ̂, A less B: ${difference}`);
    },
  };
}

declare const $controls: { readonly worker?: true };

// Compiled checks would need a policy that lets text be run.
z.config({ jitless: true });

if ($controls.worker) {
  const serve = server((reply) => postMessage(reply));
  addEventListener("message", ({ data }: MessageEvent<Job>) => serve(data));
  postMessage({ kind: "ready" });
} else mount(explorer);
