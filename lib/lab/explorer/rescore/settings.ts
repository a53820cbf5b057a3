import { NAMED_WEIGHTS } from "../../../quality/weights.ts";
import { ownWords } from "../../../schema/quality_names.ts";
import { h, setText } from "../dom.ts";
import { at, controlsOf, group, type Move, type Part } from "../inputs.ts";
import {
  type FullWeights,
  mostOf,
  nameOf,
  type SetName,
  SETS,
  type State,
  withThreshold,
  withWeight,
} from "./state.ts";
import { decimals, labelOf } from "./texts.ts";

/** Typed to a thousandth, moved by hundredths. */
const SHARE = { min: 0, max: 1, step: 0.001, slide: 0.01 };

const OWN = "your own";

/** Named weights, and weights of all components that sum to 1, each on a slider, as a number and with a lock. */
export function weightsPanel(move: Move<State>): Part<State> {
  const { range, select } = controlsOf(move);
  const complaint = h("p.complaint", { role: "alert" });
  // While one weight is moved back and forth the others come back to where they were.
  let moving: { name: string; from: FullWeights; last: FullWeights } | undefined;
  const withMoved = (state: State, name: string, wanted: number): State => {
    const from = moving?.name === name && moving.last === state.weights ? moving.from : state.weights;
    const weights = withWeight({ ...state, weights: from }, name, wanted), reached = weights[name]!;
    setText(complaint, Math.abs(reached - wanted) < 1e-9 ? "" : limitWords(name, state, reached));
    moving = { name, from, last: weights };
    return { ...state, weights };
  };
  const rowOf = (name: string): Part<State> => {
    const label = labelOf(name);
    const get = ({ weights }: State) => weights[name]!;
    const set = (state: State, value: number) => withMoved(state, name, value);
    const { element, show } = range({ label, ...SHARE, get, set });
    const lock = h("input", { type: "checkbox", autocomplete: "off", "aria-label": `lock ${label}` }, {
      // Inside the form of the weight it must not pass for a move of it.
      input: (event) => event.stopPropagation(),
      change: () =>
        move((state) => {
          const others = state.locked.filter((other) => other !== name);
          return { ...state, locked: lock.checked ? [...others, name] : others };
        }),
    });
    element.querySelector("div")!.append(h("label.lock", lock, "lock"));
    return {
      element,
      show(state) {
        show(state);
        lock.checked = state.locked.includes(name);
      },
    };
  };
  let rows: Part<State>[] = [], shown = "";
  const named = select({
    label: "named weights",
    options: [...Object.keys(NAMED_WEIGHTS), OWN],
    get: ({ weights }) => nameOf(weights) ?? OWN,
    format: (name) => NAMED_WEIGHTS[name]?.label ?? name,
    set: (state, name) => name === OWN ? state : { ...state, weights: { ...NAMED_WEIGHTS[name]!.weights } },
  });
  const [argument, place] = [h("p.muted"), h("div")];
  const legend = h("legend", "Weights of the components");
  return {
    element: h("fieldset.weights", legend, named.element, argument, place, complaint),
    show(state) {
      const { weights, components } = state, names = Object.keys(weights);
      if (names.join() !== shown) {
        [rows, shown] = [names.map(rowOf), names.join()];
        place.replaceChildren(...rows.map(({ element }) => element));
      }
      if (moving?.last !== weights) {
        moving = undefined;
        setText(complaint, "");
      }
      for (const part of [...rows, named]) part.show(state);
      const name = nameOf(weights);
      const words = name === undefined ? "Weights of your own." : `Its case: ${NAMED_WEIGHTS[name]!.argument}.`;
      setText(argument, [words, ...ownWords(components)].join(" "));
    },
  };
}

const limitWords = (name: string, state: State, weight: number): string =>
  weight === mostOf(name, state) && weight < 1
    ? `${labelOf(name)} can be ${decimals(weight)} at most: the locked weights have the rest.`
    : `${labelOf(name)} stays at ${decimals(weight)}: all others are locked.`;

/** The thresholds of the classes. */
export function thresholdsPanel(move: Move<State>): Part<State> {
  const threshold = (label: "strong" | "adequate") =>
    controlsOf(move).range({
      ...{ label, ...SHARE },
      get: ({ thresholds }) => thresholds[label],
      set: (state, value) => ({ ...state, thresholds: withThreshold(state.thresholds, label, value) }),
    });
  return group("Classes of stabilised runs begin at", [threshold("strong"), threshold("adequate")], "thresholds");
}

/** The sets of runs that are shown, ranked apart or as one. */
export function runsPanel(count: (set: SetName) => number, move: Move<State>): Part<State> {
  const { checkbox, toggle } = controlsOf(move);
  const names: Readonly<Record<SetName, string>> = { published: "published", own: "preserved here", yours: "yours" };
  const counts = h("p.muted");
  return group("Runs", [
    checkbox({ label: "runs shown", options: SETS, format: (name) => names[name], ...at("sets") }),
    toggle({ label: "rank all shown as one", ...at("together") }),
    { element: counts, show: () => setText(counts, SETS.map((name) => `${count(name)} ${names[name]}`).join(", ")) },
  ]);
}
