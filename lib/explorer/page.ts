import * as z from "zod";
import { UserError } from "../core/user_error.ts";
import { COLOURS } from "../plots/palette.ts";
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
  /** Stands first, and stays in view on a narrow page while a setting below it moves. */
  readonly lead: HTMLElement;
  readonly settings: readonly Part<State>[];
  /** Below the settings. */
  readonly files: HTMLElement;
  /** Beside the settings, below `lead`. */
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
  const { lead, settings, files, shown, below, show } = build(move);
  const starts = presets.map(({ label, step }) => button(label, () => move(step)));
  const reset = button("Reset", () => {
    clearComplaints(root);
    move(() => opening);
  });
  root.append(
    h("style", CARD_STYLE, style),
    h(
      "div.card",
      { role: "group", "aria-label": label },
      h("p.bar.presets", ...starts, reset),
      notice,
      h(
        "div.explorer",
        h("div.top", h("div.lead", lead), h("div.settings", ...settings.map(({ element }) => element), files)),
        h("div.shown", ...shown),
      ),
      below,
    ),
  );
  const first = found();
  set(first ?? opening);
  // A reader who follows a link to a state wants to see that state, not the top of the page.
  if (first) {
    const see = () => root.host.scrollIntoView();
    // Neither is the explorer on the page yet, nor need everything above it have its height.
    requestAnimationFrame(see);
    addEventListener("load", see, { once: true });
  }
  addEventListener("popstate", () => set(found() ?? (location.hash === "" ? opening : state)));
}

/** Takes away what was wrong earlier, a typed number that was refused too. */
function clearComplaints(root: ShadowRoot): void {
  for (const complaint of root.querySelectorAll(".complaint")) {
    if (complaint.tagName === "LI") complaint.remove();
    else setText(complaint, "");
  }
  for (const number of root.querySelectorAll<HTMLInputElement>("input[type=number]:invalid")) {
    const form = number.form as HTMLFormElement & { value: unknown }, { value } = form;
    form.value = value; // Both its fields show it again.
  }
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
 * The look of every output with controls: a card, light or dark as the reader's system asks. Lengths are in em, for the
 * root of classic Notebook has letters of 10 pixels.
 */
const CARD_STYLE = `
:host{all:initial;display:block;scroll-margin-top:.5em;color-scheme:light dark;--card:#fff;--ink:#1f1f1f;--muted:#595959;--rule:#d9d9d9;--shade:#f0f0f0;
--link:#0b57a4;--wrong:#a4262c;--a:#0072b2;--b:#a34700;--c:#00694b;--yours:#fff4d6}
@media(prefers-color-scheme:dark){:host{--card:#14171a;--ink:#e8eaed;--muted:#a3abb5;--rule:#30363d;--shade:#1f242a;
--link:#8ec1ee;--wrong:#f1937f;--a:#6db8ea;--b:#f0a36b;--c:#6fd3a0;--yours:#3a3115}}
*{box-sizing:border-box}
.card{container-type:inline-size;padding:1.1em;background:var(--card);color:var(--ink);border:1px solid var(--rule);border-radius:6px;
font:max(14px,.875rem)/1.45 "DejaVu Sans",Verdana,system-ui,sans-serif;font-variant-numeric:tabular-nums;text-align:left}
p,ul{margin:.55em 0}
ul{padding-left:1.4em}
fieldset{margin:0 0 .85em;padding:0;border:0;min-width:0}
legend{padding:0;font-weight:bold;margin-bottom:.4em}
label{font-weight:normal}
input,select,button{font:inherit;color:inherit;accent-color:${COLOURS[0]}}
select,button,input[type=number]{background:var(--card);border:1px solid #767676;border-radius:4px;padding:.25em .55em}
button{cursor:pointer}
button:hover{background:var(--shade)}
input[type=range]{margin:0;height:1.4em;cursor:pointer}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.muted{color:var(--muted)}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.bar{display:flex;flex-wrap:wrap;gap:.55em 1.1em;align-items:center;margin-bottom:.55em}
.explorer{display:grid;gap:1em 2em;grid-template-columns:minmax(0,1fr)}
.lead{min-width:0}
@container (min-width:832px){.explorer{grid-template:"settings lead" auto "settings shown" 1fr / 20em minmax(0,1fr)}.top{display:contents}
.settings{grid-area:settings}.lead{grid-area:lead}.shown{grid-area:shown}}
@container (max-width:831px){.lead{position:sticky;top:0;z-index:3;background:var(--card);border-bottom:1px solid var(--rule)}}
.title{font-weight:bold;font-size:1.1em;margin:.4em 0}
form{display:grid;gap:.1em .6em;margin:0 0 .5em;grid-template-columns:minmax(0,1fr)}
form>div{display:flex;gap:.6em;align-items:center;flex-wrap:wrap}
form input[type=number]{width:6em;flex:none}
form input[type=range]{flex:1;width:auto;min-width:6em}
form select{width:100%;min-width:0}
form[class*=toggle]{grid-template-columns:auto 1fr;align-items:center}
form input[type=checkbox],form input[type=radio]{margin:0 .3em 0 0}
.complaint{color:var(--wrong)}
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
.rule{border-top:1px solid var(--rule);padding-top:.85em}
`;
