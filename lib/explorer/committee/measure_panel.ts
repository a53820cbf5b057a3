import { GROWTH_LAWS } from "../../stats/growth_law_fits.ts";
import { element, setText, slider } from "../dom.ts";
import type { ConditionEntry } from "./data.ts";
import {
  type MeasureState,
  roundsOf,
  type Scale,
  withCondition,
  withFrom,
  withPaperWindow,
  withReplicates,
  withTo,
} from "./state.ts";
import { LAW_NAMES } from "./texts.ts";

/** Everything that can be set about the measurement. */
interface MeasurePanel {
  readonly element: HTMLElement;
  show(state: MeasureState): void;
}

type Move = (step: (state: MeasureState) => MeasureState) => void;

/** @param move takes what an input does to the state. */
export function measurePanel(conditions: readonly ConditionEntry[], move: Move): MeasurePanel {
  const condition = menu("Condition", conditions.map(({ label }, i) => [String(i), label]), (value) => {
    move((state) => withCondition(state, conditions[Number(value)]!));
  });
  const law = menu("Law drawn", LAW_CHOICES, (value) => {
    const chosen = LAW_CHOICES.find(([key]) => key === value)![0];
    move((state) => ({ ...state, law: chosen }));
  });
  const scale = scaleChoice((chosen) => move((state) => ({ ...state, scale: chosen })));
  const sliders = measureSliders(conditions, move);
  const reset = element("button", { type: "button" }, "Window of the paper");
  reset.addEventListener("click", () => move(withPaperWindow));
  const note = element("p", { class: "note muted" });
  return {
    element: element(
      "div",
      {},
      element("div", { class: "bar" }, condition.element, scale.element, law.element, reset),
      element("div", { class: "sliders" }, ...sliders.map(({ part }) => part.element)),
      note,
    ),
    show(state) {
      condition.show(String(conditions.indexOf(state.condition)));
      law.show(state.law);
      scale.show(state.scale);
      for (const { show } of sliders) show(state);
      setText(note, state.condition.synthetic ? SYNTHETIC : "");
    },
  };
}

const SYNTHETIC = "Synthetic: seeded surrogates argue here, no language model. Their behaviour is that of a mechanism.";

const LAW_CHOICES = [
  ["best", "the best"],
  ["none", "none"],
  ...GROWTH_LAWS.map((law) => [law, LAW_NAMES[law]] as const),
] as const;

/** Every choice here shows what the state says, so that a control and the state never differ. */
interface Choice<Value> {
  readonly element: HTMLElement;
  show(value: Value): void;
}

function menu(
  label: string,
  choices: readonly (readonly [string, string])[],
  onChoose: (value: string) => void,
): Choice<string> {
  const options = choices.map(([value, words]) => element("option", { value }, words));
  const select = element("select", { autocomplete: "off" }, ...options);
  select.addEventListener("change", () => onChoose(select.value));
  return {
    element: element("label", {}, `${label} `, select),
    show: (value) => void (select.value = value),
  };
}

function scaleChoice(onChoose: (scale: Scale) => void): Choice<Scale> {
  const boxes = ([["log", "ln D(t)"], ["linear", "D(t)"]] as const).map(([scale, words]) => {
    const input = element("input", { type: "radio", name: "scale", value: scale, autocomplete: "off" });
    input.addEventListener("change", () => onChoose(scale));
    return { scale, input, label: element("label", {}, input, ` ${words}`) };
  });
  return {
    element: element(
      "span",
      { role: "radiogroup", "aria-label": "Scale", class: "radios" },
      ...boxes.map((b) => b.label),
    ),
    show(shown) {
      for (const { scale, input } of boxes) input.checked = scale === shown;
    },
  };
}

function measureSliders(conditions: readonly ConditionEntry[], move: Move) {
  const rounds = Math.max(...conditions.map(roundsOf));
  const runs = Math.max(...conditions.map(({ means }) => means.length));
  const from = slider({
    ...{ id: "from", label: "fit from round", min: 1, max: rounds, step: 1 },
    onMove: (value) => move((state) => withFrom(state, value)),
  });
  const to = slider({
    ...{ id: "to", label: "fit to round", min: 1, max: rounds, step: 1 },
    onMove: (value) => move((state) => withTo(state, value)),
  });
  const replicates = slider({
    ...{ id: "replicates", label: "replicates", min: 2, max: runs, step: 1 },
    onMove: (value) => move((state) => withReplicates(state, value)),
  });
  return [
    { part: from, show: (state: MeasureState) => from.show(state.from, String(state.from)) },
    { part: to, show: (state: MeasureState) => to.show(state.to, String(state.to)) },
    {
      part: replicates,
      show: ({ replicates: n, condition: { means } }: MeasureState) =>
        replicates.show(n, String(n), `of ${means.length}`),
    },
  ];
}
