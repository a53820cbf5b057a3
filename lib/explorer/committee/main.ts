import * as z from "zod";
import { UserError } from "../../core/user_error.ts";
import { COLOURS, MUTED, RULE } from "../../plots/palette.ts";
import { referenceSlopes } from "../../stats/reference_slopes.ts";
import { downloadLink, element, later, mount, savePng, setText } from "../dom.ts";
import { button } from "../inputs.ts";
import { plotPlace } from "../plot_place.ts";
import { CARD_STYLE } from "../style.ts";
import type { CommitteeData } from "./state.ts";
import { divergencePicture, type Known, type Picked, replicatesPicture, slopesPicture } from "./pictures.ts";
import { readingView } from "./reading.ts";
import { type Job, server } from "./serve.ts";
import { committeeSettings, comparisonSwitch, mechanismSettings, sharedSettings } from "./settings.ts";
import { cellCode, fromFragment, settled, type State, toFragment } from "./state.ts";
import { openStore } from "./store.ts";
import { differenceWords, divergenceCsv, resultRows, summaryWords } from "./texts.ts";

/** The look of the explorer of committees. */
const COMMITTEE_STYLE = `
.explorer{display:grid;gap:1em 2em;grid-template-columns:minmax(0,1fr)}
@container (min-width:832px){.explorer{grid-template-columns:20em minmax(0,1fr)}}
.title{font-weight:bold;font-size:1.1em;margin:.4em 0}
form{display:grid;gap:.1em .6em;margin:0 0 .5em;grid-template-columns:minmax(0,1fr)}
form>div{display:flex;gap:.6em;align-items:center;flex-wrap:wrap}
form input[type=number]{width:6em;flex:none}
form input[type=range]{flex:1;width:auto;min-width:6em}
form select{width:100%;min-width:0}
form[class*=toggle]{grid-template-columns:auto 1fr;align-items:center}
form input[type=checkbox],form input[type=radio]{margin:0 .3em 0 0}
.complaint{color:#a4262c}
.complaint:empty{display:none}
.plot{width:100%;min-width:0;overflow:hidden;margin:.4em 0}
.plot svg{display:block;max-width:100%;height:auto}
.reader{display:grid;gap:0 1.5em;grid-template-columns:repeat(auto-fit,minmax(14em,1fr))}
table{border-collapse:collapse;width:100%}
th,td{padding:.2em .5em;text-align:left;border-bottom:1px solid ${RULE};vertical-align:top}
tbody th{font-weight:normal;color:${MUTED}}
thead .a{color:${COLOURS[0]}}
thead .b{color:#a34700}
.swatch{display:inline-block;width:.8em;height:.8em;margin-right:.4em;border-radius:2px}
.scroll{overflow-x:auto}
.words p{overflow-wrap:anywhere}
pre{overflow-x:auto;font-size:.85em}
summary{cursor:pointer;padding:.25em 0}
[hidden]{display:none}
`;

/** A pause of the reader's after which the address is written and the result is read out. */
const REST_MS = 400;

/** Builds the explorer of committees in `root`: committees are chosen, run and compared in the page. */
function explorer(root: ShadowRoot, data: CommitteeData): void {
  const opening = settled(data.presets[0]!.state);
  const notice = element("p", { role: "alert", class: "complaint" });
  const fromAddress = () => {
    try {
      const found = fromFragment(location.hash, data);
      setText(notice, "");
      return found;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      setText(notice, `The address of this page cannot be used: ${error.message}. Everything stays as it was.`);
      return undefined;
    }
  };
  let state = opening, wanted: State | undefined, known: readonly Known[] = [];
  const remember = later(REST_MS, () => {
    const fragment = toFragment(state);
    if (fragment !== location.hash) history.pushState(null, "", fragment);
  });
  const move = (step: (state: State) => State, write = true) => {
    state = settled(step(state));
    for (const part of parts) part.show(state);
    second.element.hidden = state.committees.length < 2;
    redraw();
    if (write) remember();
  };
  const store = openStore(data, () => redraw());
  const second = committeeSettings(data, 1, move);
  const reading = readingView(data, store, move);
  const parts = [
    ...[committeeSettings(data, 0, move), comparisonSwitch(move), second, sharedSettings(move)],
    ...[mechanismSettings(data, move), reading],
  ];
  const results = resultsView();
  const divergence = plotPlace("divergence", (width) => divergencePicture(known, state, width));
  const slopes = plotPlace("slopes", (width) => slopesPicture(known, referenceSlopes(state), width));
  const replicates = plotPlace(
    "replicates",
    (width) =>
      known.every(({ complete }) => complete.length > 0)
        ? replicatesPicture(known, state, Math.min(width, 560))
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
      results.show(known, differenceWords(store.measures(state)));
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
        element("div", { class: "settings" }, ...parts.slice(0, 5).map((part) => part.element)),
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
            downloadLink({
              file: "divergence.svg",
              type: "image/svg+xml",
              words: "Picture (SVG)",
              text: () => divergence.svg() ?? "",
            }),
            button("Picture (PNG)", () => void savePng("divergence.png", divergence.svg())),
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
  const addressed = fromAddress();
  move(() => addressed ?? opening, false);
  // Whoever follows a link to a state wants to see that, not the beginning of the page.
  if (addressed) root.host.scrollIntoView();
  addEventListener("popstate", () => move((state) => fromAddress() ?? (location.hash === "" ? opening : state), false));
}

/** Every result, a column a committee. */
function resultsView() {
  const body = element("tbody", {});
  const head = element("tr", {});
  const difference = element("p", {});
  return {
    element: element(
      "div",
      {},
      element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), body)),
      difference,
    ),
    show(known: readonly Known[], words: string) {
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
      setText(difference, known.length === 2 ? `Δλ̂, A less B: ${words}` : "");
    },
  };
}

/** Tasks done one a frame, from the first after something has asked; asking again meanwhile does them once more. */
function inFrames(tasks: readonly (() => void)[]): () => void {
  let running = false, again = false;
  const run = (place: number) => {
    tasks[place]!();
    if (place + 1 < tasks.length) requestAnimationFrame(() => run(place + 1));
    else if (again) {
      again = false;
      requestAnimationFrame(() => run(0));
    } else running = false;
  };
  return () => {
    again = running;
    if (running) return;
    running = true;
    requestAnimationFrame(() => run(0));
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
