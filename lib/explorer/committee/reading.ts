import { inertText } from "../../core/text.ts";
import { element, setText } from "../dom.ts";
import { button, rangeControl, selectControl } from "../inputs.ts";
import { plotPlace } from "../plot_place.ts";
import type { CommitteeData } from "./state.ts";
import { agentsPicture, type Known, seatColour, twinDistances, twinPicture } from "./pictures.ts";
import type { Part } from "./settings.ts";
import { conditionOf, type State } from "./state.ts";
import type { Store, Twin } from "./store.ts";

/** One run: who stood where, what was said round by round, and its twin. */
export function readingView(
  data: CommitteeData,
  store: Store,
  move: (step: (state: State) => State) => void,
): Part & { redraw(known: readonly Known[]): void } {
  let state: State, known: readonly Known[] = [];
  const setShown = (shown: Partial<State["shown"]>) =>
    move((state) => ({ ...state, shown: { ...state.shown, ...shown } }));
  const committee = selectControl({
    ...{ label: "run of committee", options: [0, 1] as number[], format: (place: number) => "AB"[place]!, value: 0 },
    onInput: (committee) => setShown({ committee }),
  });
  const replicate = rangeControl({
    ...{ label: "replicate", min: 0, max: 199, step: 1, value: 0, onInput: (replicate) => setShown({ replicate }) },
  });
  const round = rangeControl({
    ...{ label: "round", min: 1, max: 60, step: 1, value: 1, onInput: (round) => setShown({ round }) },
  });
  const step = (by: number) => setShown({ round: Math.max(1, state.shown.round + by) });
  const current = () => {
    const one = known[state.shown.committee], run = one?.runs.find((run) => run.replicate === state.shown.replicate);
    return one && run ? { one, run } : undefined;
  };
  const agents = plotPlace("agents", (width) => {
    const found = current();
    return found && agentsPicture(found.one, found.run, state.shown.round, width);
  });
  const key = element("p", { class: "muted seats" });
  const words = element("div", { class: "words" });
  const end = element("p", {});
  let seat = 0, seats = "";
  const seatPlace = element("div", {});
  const ask = button("Ask this turn again under another seed", () => {
    store.makeTwin(state, { round: state.shown.round, seat });
  });
  const twinWords = element("p", {});
  const twin = plotPlace("twin", (width) => {
    const [found, made] = [current(), store.twin(state)];
    return found && made?.run.flaw === undefined && made && found.run.flaw === undefined
      ? twinPicture(found.run, made.run, width)
      : undefined;
  });
  return {
    element: element(
      "section",
      { class: "rule", "aria-label": TITLE },
      element("p", { class: "title" }, TITLE),
      element("div", { class: "reader" }, committee.element, replicate.element, round.element),
      element("div", { class: "bar" }, button("Round before", () => step(-1)), button("Round after", () => step(1))),
      agents.element,
      key,
      words,
      end,
      element("div", { class: "bar" }, seatPlace, ask),
      twinWords,
      twin.element,
    ),
    show(next) {
      state = next;
      committee.show(next.shown.committee);
      replicate.show(next.shown.replicate);
      round.show(next.shown.round);
    },
    redraw(next) {
      known = next;
      const found = current();
      const labels = conditionOf(data, state.committees[state.shown.committee]!).seats.map(({ label }) => label);
      if (seats !== labels.join()) {
        [seat, seats] = [0, labels.join()];
        const options = labels.map((_, i) => i);
        const onInput = (value: number) => void (seat = value);
        seatPlace.replaceChildren(
          selectControl({ label: "turn of", options, format: (i) => labels[i]!, value: 0, onInput }).element,
        );
      }
      agents.redraw();
      const options = found?.one.options.join("; ") ?? "";
      setText(key, options);
      words.replaceChildren(
        ...(found?.run.turns.filter((turn) => turn.round === state.shown.round) ?? []).map((turn) =>
          element(
            "p",
            { dir: "auto" },
            element("span", { class: "swatch", style: `background:${seatColour(turn.seat)}` }),
            element("strong", {}, element("bdi", {}, inertText(labels[turn.seat]!))),
            ` ${turn.preferences.map((share) => share.toFixed(2)).join(" / ")}, confidence ${turn.confidence}${
              turn.repaired ? ", asked twice" : ""
            }: ${inertText(turn.argument)}`,
          )
        ),
      );
      setText(end, found ? endWords(found.run) : "This run is still to be made.");
      ask.disabled = found === undefined;
      const made = store.twin(state);
      setText(twinWords, found && made ? twinText(found.run, made, labels) : "");
      twin.redraw();
    },
  };
}

const TITLE = "One run, round by round";

const endWords = ({ flaw, decision }: { flaw?: string | undefined; decision?: string | undefined }): string =>
  flaw !== undefined
    ? `This run is left out of every distance: ${flaw}.`
    : decision === undefined
    ? "After the last round no decision could be read."
    : `After the last round the committee decides ${decision}.`;

function twinText(run: Parameters<typeof twinDistances>[0], twin: Twin, seats: readonly string[]): string {
  const what = `${
    seats[twin.seat]
  }'s turn of round ${twin.round} was asked again under another seed, all else as before`;
  if (twin.run.flaw !== undefined) return `${what}: the twin was flagged, ${twin.run.flaw}.`;
  const distances = twinDistances(run, twin.run), last = distances.at(-1)!;
  const most = Math.max(...distances);
  const end = most === 0
    ? "the answer was the same, and nothing parts"
    : last === 0
    ? `the twins part by up to ${most.toFixed(3)} and meet again`
    : `the twins end ${last.toFixed(3)} apart, at most ${most.toFixed(3)}`;
  const decided = run.decision === twin.run.decision ? "the same" : `${run.decision} and ${twin.run.decision}`;
  return `${what}: ${end}; they decide ${decided}.`;
}
