import { inertText } from "../../core/text.ts";
import { INK, MUTED, RULE, SHADE } from "../../plots/palette.ts";
import { element, later, setText, slider, svgElement } from "../dom.ts";
import { drawing } from "../drawing.ts";
import { linearScale } from "./chart_layout.ts";
import { type CommitteeData, letter, type RunEntry, type RunRound, runRounds, type SeatState } from "./data.ts";
import { seatKey, seatMark, simplexMarks, triangleHeight } from "./simplex_drawing.ts";

const NAME = 18;
const LANE = 9;
const GAP = 12;

const rowHeight = (seats: number): number => NAME + seats * LANE + GAP;

const barsHeight = (options: number, seats: number): number => options * rowHeight(seats) + 22;

/** A bar an option for the committee's mean, and every seat on it in a lane of its own. */
function barsMarks(now: RunRound, options: readonly string[], width: number): SVGElement[] {
  const x = linearScale([0, 1], [6, width - 10]);
  const height = rowHeight(now.seats.length), bottom = options.length * height;
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    svgElement("path", { d: `M${x(share)} 0V${bottom}`, stroke: RULE }),
    svgElement("text", { x: x(share), y: bottom + 16, "text-anchor": anchorAt(share), fill: MUTED }, String(share)),
  ]);
  return [...grid, ...options.flatMap((option, k) => rowMarks(now, { option, k, top: k * height, x }))];
}

const anchorAt = (share: number): string => share === 0 ? "start" : share === 1 ? "end" : "middle";

function rowMarks(
  { seats, mean }: RunRound,
  { option, k, top, x }: { option: string; k: number; top: number; x: (share: number) => number },
): SVGElement[] {
  const share = mean[k]!, height = seats.length * LANE;
  return [
    svgElement("rect", { x: x(0), y: top + NAME, width: x(share) - x(0), height, fill: SHADE, stroke: MUTED }),
    svgElement("text", { x: x(0) + 3, y: top + NAME - 4, ...NAMED }, `${option}, mean ${share.toFixed(2)}`),
    svgElement("path", { d: `M${x(share).toFixed(1)} ${top + NAME}v${height}`, stroke: INK, "stroke-width": 2.5 }),
    ...seats.map(({ seat, preferences }, lane) =>
      seatMark(seat, x(preferences[k]!), top + NAME + (lane + 0.5) * LANE, 3.6)
    ),
  ];
}

const NAMED = { "font-weight": "bold", stroke: "#fff", "stroke-width": 4, "paint-order": "stroke" };

/** What every seat wrote on its STATE line in one round. */
function stateTable({ options }: RunEntry, { round, seats }: RunRound): HTMLElement {
  const head = (words: string, name?: string) => element("th", { scope: "col", class: name }, words);
  const shares = options.map((_, k) => head(letter(k), "number"));
  const heads = [head("Seat"), ...shares, head("Top"), head("Conf.", "number"), head("Tags", "tags")];
  return element(
    "table",
    { class: "states" },
    element("caption", {}, `STATE lines of round ${round}: preferences, top option, confidence of 100, tags`),
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...seats.map(seatRow)),
  );
}

function seatRow({ seat, name, preferences, confidence, tags, ...state }: SeatState): HTMLElement {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, seatKey(seat), ` ${inertText(name)}`),
    ...preferences.map((share) => element("td", { class: "number" }, share.toFixed(2))),
    element("td", {}, topText(state)),
    element("td", { class: "number" }, String(confidence)),
    element("td", { class: "tags" }, [inertText(tags.join(", ")), ...remarks(state)].join("; ")),
  );
}

/** The option preferred most; what it was a round before where that was another. */
const topText = ({ top, tied, was }: Pick<SeatState, "top" | "tied" | "was">): string =>
  `${top}${tied ? " (tie)" : ""}${was === undefined ? "" : `, was ${was}`}`;

const remarks = ({ repaired, writtenSum }: Pick<SeatState, "repaired" | "writtenSum">): string[] => [
  ...(repaired ? ["asked twice"] : []),
  ...(writtenSum === undefined ? [] : [`rescaled from a sum of ${writtenSum}`]),
];

/** A screen reader would otherwise read out every round that a slider passes. */
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
