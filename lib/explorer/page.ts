import * as z from "zod";
import { UserError } from "../core/user_error.ts";
import { CARD, COLOURS, INK, MUTED, RULE, SHADE } from "../plots/palette.ts";
import { button, h, later, setText } from "./dom.ts";
import type { Fragment } from "./parse.ts";
import type { Move, Part } from "./inputs.ts";

/** After this pause the address is written and the result is read out. */
const REST_MS = 400;

interface PageOptions<State> extends Fragment<State> {
  /** Names the explorer to screen readers. */
  readonly label: string;
  readonly style: string;
  readonly opening: State;
  readonly presets: readonly { readonly label: string; readonly step: (state: State) => State }[];
  /** A state in which everything that is chosen exists. */
  readonly settled: (state: State) => State;
}

/** The parts of an explorer. */
interface Body<State> {
  readonly settings: readonly Part<State>[];
  /** Below the settings. */
  readonly files: HTMLElement;
  /** Beside the settings. */
  readonly shown: readonly HTMLElement[];
  /** Below everything, as wide as the page. */
  readonly below: HTMLElement;
  /** Shows a state, after the settings have shown it. */
  readonly show: (state: State) => void;
}

/**
 * Builds an explorer in `root`. The reader's state is kept in the page's address: shared by copying the address, undone
 * by going back.
 *
 * @param build what is shown, given what changes the state.
 */
export function openPage<State>(
  root: ShadowRoot,
  { label, style, opening, presets, write, read, settled }: PageOptions<State>,
  build: (move: Move<State>) => Body<State>,
): void {
  const notice = h("p.complaint", { role: "alert" });
  let state = opening;
  const found = () => {
    try {
      const found = read(location.hash);
      setText(notice, "");
      return found;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      setText(notice, `The address of this page cannot be used: ${error.message}. Everything stays as it was.`);
      return undefined;
    }
  };
  const set = (next: State) => {
    state = settled(next);
    for (const part of settings) part.show(state);
    show(state);
  };
  const remember = later(REST_MS, () => {
    const fragment = write(state);
    if (fragment !== location.hash) history.pushState(null, "", fragment);
  });
  const move: Move<State> = (step) => {
    set(step(state));
    remember();
  };
  const { settings, files, shown, below, show } = build(move);
  const starts = [...presets, { label: "Reset", step: () => opening }];
  root.append(
    h("style", CARD_STYLE, style),
    h(
      "div.card",
      { role: "group", "aria-label": label },
      h("p.bar.presets", ...starts.map(({ label, step }) => button(label, () => move(step)))),
      notice,
      h(
        "div.explorer",
        h("div.settings", ...settings.map(({ element }) => element), files),
        h("div.shown", ...shown),
      ),
      below,
    ),
  );
  const first = found();
  set(first ?? opening);
  // A reader who follows a link to a state wants to see that state, not the top of the page.
  if (first) root.host.scrollIntoView();
  addEventListener("popstate", () => set(found() ?? (location.hash === "" ? opening : state)));
}

/** A sentence that is read out once the reader rests. */
export function restingStatus(words: () => string | undefined): { element: HTMLElement; tell: () => void } {
  const element = h("p", { role: "status" });
  return {
    element,
    tell: later(REST_MS, () => {
      const told = words();
      if (told !== undefined) setText(element, told);
    }),
  };
}

/** A place for the code of a cell that makes the numbers of the page. */
export function codeView(): { element: HTMLElement; show: (code: string) => void } {
  const code = h("pre", { tabindex: "0" });
  const summary = h("summary", "The code of a cell that makes the same numbers");
  return { element: h("details", summary, code), show: (text) => setText(code, text) };
}

/** Written before the bundle by `controls`. */
declare const $controls: { readonly name: string; readonly data: unknown };

/**
 * Takes over the place that the output left for the explorer, once it is on the page: the still picture gives way to
 * what `start` builds in a shadow root. Styles of the page do not reach in, ids do not meet, and the same output may
 * stand on a page twice. When `start` fails the picture stays, with a note below it.
 */
export function mount<Data>(start: (root: ShadowRoot, data: Data) => void): void {
  // Some viewers run the script before the output is on the page.
  waitFor(`[data-controls="${$controls.name}"]:not([data-mounted])`, (place) => {
    place.setAttribute("data-mounted", "");
    const host = document.createElement("div");
    try {
      // The data were written by the same version of the project.
      start(host.attachShadow({ mode: "open" }), $controls.data as Data);
    } catch (error) {
      place.append("The controls could not be started; this is a still picture.");
      throw error;
    }
    place.replaceChildren(host);
  });
}

const MOST_FRAMES = 100;

function waitFor(selector: string, found: (place: Element) => void, frames = MOST_FRAMES): void {
  const place = document.querySelector(selector);
  if (place !== null) found(place);
  else if (frames > 0) requestAnimationFrame(() => waitFor(selector, found, frames - 1));
}

// Compiled checks would need a policy that lets text be run.
z.config({ jitless: true });

/**
 * The look of every output with controls: a white card that is readable on light and dark pages alike. Lengths are in
 * em, for the root of classic Notebook has letters of 10 pixels.
 */
const CARD_STYLE = `
:host{all:initial;display:block;color-scheme:light}
*{box-sizing:border-box}
.card{container-type:inline-size;padding:1.1em;background:${CARD};color:${INK};border:1px solid #d0d0d0;border-radius:6px;
font:max(14px,.875rem)/1.45 "DejaVu Sans",Verdana,system-ui,sans-serif;font-variant-numeric:tabular-nums;text-align:left}
p,ul{margin:.55em 0}
ul{padding-left:1.4em}
fieldset{margin:0 0 .85em;padding:0;border:0;min-width:0}
legend{padding:0;font-weight:bold;margin-bottom:.4em}
label{font-weight:normal}
input,select,button{font:inherit;color:inherit;accent-color:${COLOURS[0]}}
select,button,input[type=number]{background:${CARD};border:1px solid #767676;border-radius:4px;padding:.25em .55em}
button{cursor:pointer}
button:hover{background:${SHADE}}
input[type=range]{margin:0;height:1.4em;cursor:pointer}
a{color:#0b57a4}
:focus-visible{outline:3px solid #0b57a4;outline-offset:2px}
.muted{color:${MUTED}}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.bar{display:flex;flex-wrap:wrap;gap:.55em 1.1em;align-items:center;margin-bottom:.55em}
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
.drop{border:1px dashed #767676;border-radius:4px;padding:.6em}
.drop textarea,.drop input{width:100%;margin:.3em 0}
.said{overflow-wrap:anywhere}
.swatch{display:inline-block;width:.8em;height:.8em;margin-right:.4em;border-radius:2px}
.scroll{overflow-x:auto}
pre{overflow-x:auto;font-size:.85em}
summary{cursor:pointer;padding:.25em 0}
[hidden]{display:none}
.rule{border-top:1px solid ${RULE};padding-top:.85em}
`;
