import { inertText } from "../../inert_text.ts";
import { drawing } from "../drawing.ts";
import { element, setText } from "../element.ts";
import { later } from "../later.ts";
import { slider } from "../slider.ts";
import { barsHeight, barsMarks } from "./bars_drawing.ts";
import type { CommitteeData, RunEntry } from "./data.ts";
import { letter, type RunRound, runRounds } from "./run_rounds.ts";
import { simplexMarks, triangleHeight } from "./simplex_drawing.ts";
import { stateTable, topText } from "./state_table.ts";

/** A screen reader would otherwise hear every round that a slider passes. */
const QUIET_MS = 350;

/** One run round by round: where everyone stands, what the STATE lines say, and the arguments. */
export function runView({ runs }: CommitteeData): HTMLElement {
  const read = runs.map((run) => ({ run, rounds: runRounds(run) }));
  let shown = read[0]!, round = 1;
  const parts = roundParts();
  const status = element("p", { role: "status", "aria-live": "polite", class: "note" });
  const say = later(QUIET_MS, () => setText(status, roundText(shown.run, shown.rounds, round)));
  const scrub = slider({
    ...{ id: "round", label: "round", min: 1, max: Math.max(...read.map(({ rounds }) => rounds.length)), step: 1 },
    onMove: (value) => show(value),
  });
  const show = (wanted: number) => {
    round = Math.min(wanted, shown.rounds.length);
    scrub.show(round, String(round), `of ${shown.rounds.length}`);
    parts.show(shown.run, shown.rounds.slice(0, round));
    say();
  };
  const menu = runMenu(runs, (place) => {
    shown = read[place]!;
    show(round);
  });
  show(1);
  return element(
    "section",
    { "aria-label": TITLE, class: "rule" },
    element("p", { class: "title" }, TITLE),
    element("div", { class: "bar" }, menu),
    element("div", { class: "sliders scrub" }, scrub.element),
    parts.element,
    status,
    parts.words,
  );
}

/** What changes with the round: a picture beside a table, and the words of it. */
function roundParts() {
  let picture: readonly [RunEntry, readonly RunRound[]] | undefined;
  const standing = drawing({ class: "standing", draw: (width) => standingMarks(...picture!, width) });
  const table = element("div", { class: "scroll", role: "region", "aria-label": "States of the round", tabindex: "0" });
  const key = element("p", { class: "note muted" });
  const both = element("div", { class: "columns reading" }, element("div", {}, standing.element, key), table);
  const words = element("div", { class: "words" });
  return {
    ...{ element: both, words },
    show(run: RunEntry, rounds: readonly RunRound[]) {
      const now = rounds.at(-1)!;
      picture = [run, rounds];
      // Many options make a wide table.
      both.classList.toggle("stacked", run.options.length > 3);
      table.replaceChildren(stateTable(run, now));
      setText(key, run.options.length === 3 ? TRIANGLE_KEY : BARS_KEY);
      words.replaceChildren(...now.spoken.map(argument));
      standing.redraw();
    },
  };
}

const TITLE = "One run, round by round";

function runMenu(runs: readonly RunEntry[], onChoose: (place: number) => void): HTMLElement {
  const options = runs.map(({ label, synthetic }, i) =>
    element("option", { value: String(i) }, `${label}${synthetic ? " (synthetic)" : ""}`)
  );
  const select = element("select", { autocomplete: "off" }, ...options);
  select.addEventListener("change", () => onChoose(Number(select.value)));
  return element("label", {}, "Run ", select);
}

const TRIANGLE_KEY = "Signs: the seats, as in the table. Dot: the committee's mean; line: its way since round 1.";
const BARS_KEY = "Signs: the seats, as in the table. Bars: the committee's mean.";

/** Three options make a triangle, any other number bars. */
function standingMarks({ options, seats }: RunEntry, rounds: readonly RunRound[], width: number) {
  const now = rounds.at(-1)!, label = `Preferences after round ${now.round}: ${meanText(now)}`;
  return options.length === 3
    ? { height: triangleHeight(width), label, marks: simplexMarks(rounds, options, width) }
    : { height: barsHeight(options.length, seats.length), label, marks: barsMarks(now, options, width) };
}

const meanText = ({ mean }: RunRound): string =>
  `committee mean ${mean.map((share, k) => `${letter(k)} ${share.toFixed(2)}`).join(", ")}`;

/** A round in a few sentences to be read out. */
export function roundText({ label, decision }: RunEntry, rounds: readonly RunRound[], round: number): string {
  const now = rounds[round - 1]!;
  const tops = now.seats.map((seat) => `${inertText(seat.name)} ${topText(seat)}`).join("; ");
  const end = decision === undefined ? "no decision could be read" : `the committee decides ${decision}`;
  const after = round === rounds.length ? ` After it ${end}.` : "";
  return `${label}, round ${now.round}: ${meanText(now)}. Top options: ${tops}.${after}`;
}

/** Words of an agent: a text node, with what cannot be seen made visible. */
function argument({ name, argument }: { name: string; argument: string }): HTMLElement {
  return element(
    "p",
    { dir: "auto" },
    element("strong", {}, element("bdi", {}, inertText(name))),
    ` ${inertText(argument)}`,
  );
}
