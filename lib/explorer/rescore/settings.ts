import { NAMED_WEIGHTS } from "../../quality/weights.ts";
import { ownWords } from "../../schema/quality_names.ts";
import { element, setText } from "../dom.ts";
import { checkboxControl, rangeControl, selectControl, toggleControl } from "../inputs.ts";
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

type Move = (step: (state: State) => State) => void;

/** A part of the explorer that follows the state. */
export interface Part {
  readonly element: HTMLElement;
  show(state: State): void;
}

const OWN = "your own";

/** Named weights, and weights of all components that sum to 1, each on a slider, as a number and with a lock. */
export function weightsPanel(move: Move): Part {
  const complaint = element("p", { class: "complaint", role: "alert" });
  // While one weight is moved back and forth the others come back to where they were.
  let moving: { name: string; from: FullWeights; last: FullWeights } | undefined;
  const set = (name: string, wanted: number) =>
    move((state) => {
      const from = moving?.name === name && moving.last === state.weights ? moving.from : state.weights;
      const weights = withWeight({ ...state, weights: from }, name, wanted);
      setText(complaint, Math.abs(weights[name]! - wanted) < 1e-9 ? "" : limitWords(name, state, weights[name]!));
      moving = { name, from, last: weights };
      return { ...state, weights };
    });
  const rowOf = (name: string) => {
    const label = labelOf(name);
    const control = rangeControl({
      ...{ label, min: 0, max: 1, step: 0.001, slide: 0.01, value: 0, onInput: (value) => set(name, value) },
    });
    const lock = element("input", { type: "checkbox", autocomplete: "off", "aria-label": `lock ${label}` });
    // Inside the form of the weight it must not pass for a move of it.
    lock.addEventListener("input", (event) => event.stopPropagation());
    lock.addEventListener("change", () =>
      move((state) => {
        const others = state.locked.filter((other) => other !== name);
        return { ...state, locked: lock.checked ? [...others, name] : others };
      }));
    control.element.querySelector("div")!.append(element("label", { class: "lock" }, lock, "lock"));
    return { name, control, lock };
  };
  let rows: ReturnType<typeof rowOf>[] = [];
  const place = element("div", {});
  const named = selectControl({
    ...{ label: "named weights", options: [...Object.keys(NAMED_WEIGHTS), OWN], value: "published" },
    format: (name) => NAMED_WEIGHTS[name]?.label ?? name,
    onInput: (name) => {
      const found = NAMED_WEIGHTS[name]?.weights;
      if (found) move((state) => ({ ...state, weights: { ...found } }));
    },
  });
  const argument = element("p", { class: "muted" });
  return {
    element: element(
      "fieldset",
      { class: "weights" },
      element("legend", {}, "Weights of the components"),
      named.element,
      argument,
      place,
      complaint,
    ),
    show({ weights, components, locked }) {
      const names = Object.keys(weights);
      if (names.join() !== rows.map(({ name }) => name).join()) {
        rows = names.map(rowOf);
        place.replaceChildren(...rows.map(({ control }) => control.element));
      }
      if (moving?.last !== weights) {
        moving = undefined;
        setText(complaint, "");
      }
      for (const { name, control, lock } of rows) {
        control.show(weights[name]!);
        lock.checked = locked.includes(name);
      }
      const name = nameOf(weights);
      named.show(name ?? OWN);
      const words = name === undefined ? "Weights of your own." : `Its case: ${NAMED_WEIGHTS[name]!.argument}.`;
      setText(argument, [words, ...ownWords(components)].join(" "));
    },
  };
}

const limitWords = (name: string, state: State, weight: number): string =>
  weight === mostOf(name, state) && weight < 1
    ? `${labelOf(name)} can be ${decimals(weight)} at most: the locked weights have the rest.`
    : `${labelOf(name)} stays at ${decimals(weight)}: all others are locked.`;

/** Where the classes begin, and whose runs are shown. */
export function runsPanel(count: (set: SetName) => number, move: Move): Part {
  const threshold = (name: "strong" | "adequate") =>
    rangeControl({
      ...{ label: name, min: 0, max: 1, step: 0.001, slide: 0.01, value: 0 },
      onInput: (at) => move((state) => ({ ...state, thresholds: withThreshold(state.thresholds, name, at) })),
    });
  const [strong, adequate] = [threshold("strong"), threshold("adequate")];
  const names: Readonly<Record<SetName, string>> = { published: "published", own: "preserved here", yours: "yours" };
  const sets = checkboxControl<SetName>({
    ...{ label: "runs shown", options: SETS, value: SETS, format: (name: SetName) => names[name] },
    onInput: (sets) => move((state) => ({ ...state, sets: [...sets] })),
  });
  const together = toggleControl({
    ...{ label: "rank all shown as one", value: false },
    onInput: (together) => move((state) => ({ ...state, together })),
  });
  const counts = element("p", { class: "muted" });
  return {
    element: element(
      "div",
      {},
      element(
        "fieldset",
        { class: "thresholds" },
        element("legend", {}, "Classes of stabilised runs begin at"),
        ...[strong, adequate].map((control) => control.element),
      ),
      element("fieldset", {}, element("legend", {}, "Runs"), sets.element, together.element, counts),
    ),
    show(state) {
      strong.show(state.thresholds.strong);
      adequate.show(state.thresholds.adequate);
      sets.show(state.sets);
      together.show(state.together);
      setText(counts, SETS.map((name) => `${count(name)} ${names[name]}`).join(", "));
    },
  };
}
