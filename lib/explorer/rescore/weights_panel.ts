import type { Thresholds } from "../../quality/classify.ts";
import { NAMED_WEIGHTS } from "../../quality/weights.ts";
import { type ComponentName, COMPONENTS } from "../../schema/quality_names.ts";
import { element, setText, slider } from "../dom.ts";
import { type ExplorerState, nameOf, rankedWeights } from "./state.ts";
import { COMPONENT_LABELS, decimals } from "./texts.ts";

interface WeightsPanelOptions {
  readonly onWeight: (name: ComponentName, weight: number) => void;
  readonly onNamed: (name: string) => void;
  readonly onReset: () => void;
}

/** A part of the explorer that follows the state. */
interface Panel {
  readonly element: HTMLElement;
  show(state: ExplorerState): void;
}

const OWN = "own";

/** Named weights, nine sliders, their sum and what is made of it. */
export function weightsPanel({ onWeight, onNamed, onReset }: WeightsPanelOptions): Panel {
  const sliders = COMPONENTS.map((name) => ({
    name,
    part: slider({
      ...{ id: `weight-${name}`, label: COMPONENT_LABELS[name], min: 0, max: 1, step: 0.01 },
      onMove: (weight) => onWeight(name, weight),
    }),
  }));
  const menu = namedMenu(onNamed);
  const reset = element("button", { type: "button" }, "Reset to published");
  reset.addEventListener("click", onReset);
  const [sum, argument] = [element("output", { class: "sum" }), element("p", { class: "note muted" })];
  return {
    element: element(
      "fieldset",
      {},
      element("legend", {}, "Weights of the nine components"),
      element("div", { class: "bar" }, element("label", {}, "Named weights ", menu), reset, sum),
      argument,
      element("div", { class: "sliders" }, ...sliders.map(({ part }) => part.element)),
    ),
    show({ weights }) {
      const ranked = rankedWeights(weights);
      for (const { name, part } of sliders) {
        part.show(weights[name], decimals(weights[name]), shareText(ranked.unit?.[name]));
      }
      const name = nameOf(weights);
      menu.value = name ?? OWN;
      setText(sum, sumText(ranked));
      setText(argument, name === undefined ? "Weights of your own." : `Its case: ${NAMED_WEIGHTS[name]!.argument}.`);
    },
  };
}

function namedMenu(onNamed: (name: string) => void): HTMLSelectElement {
  const options = Object.entries(NAMED_WEIGHTS).map(([name, { label }]) => element("option", { value: name }, label));
  const own = element("option", { value: OWN, disabled: true }, "your own");
  const menu = element("select", { autocomplete: "off" }, ...options, own);
  menu.addEventListener("change", () => onNamed(menu.value));
  return menu;
}

/** What a component counts for in the ranking, once the weights are divided by their sum. */
const shareText = (share: number | undefined): string => share === undefined ? "–" : `${(share * 100).toFixed(1)} %`;

function sumText({ sum, divided, unit }: ReturnType<typeof rankedWeights>): string {
  if (unit === undefined) return "Sum 0: nothing can be ranked; raise a weight";
  return divided ? `Sum ${sum.toFixed(2)}, divided by it: normalised for the ranking (%)` : "Sum 1.00";
}

const NAMES = ["strong", "adequate"] as const satisfies readonly (keyof Thresholds)[];

/** Where the classes begin: each threshold on a slider and as a number to type. */
export function thresholdsPanel(onMove: (name: keyof Thresholds, at: number) => void): Panel {
  const complaint = element("p", { class: "note muted", role: "alert", id: "threshold-note" });
  const rows = NAMES.map((name) => ({
    name,
    ...thresholdRow(name, (at) => {
      setText(complaint, at === undefined ? `${name} must lie between 0 and 1; it was left as it is.` : "");
      if (at !== undefined) onMove(name, at);
    }),
  }));
  return {
    element: element(
      "fieldset",
      { class: "thresholds" },
      element("legend", {}, "Classes of stabilised runs begin at"),
      element("div", { class: "sliders" }, ...rows.map((row) => row.element)),
      complaint,
    ),
    show({ thresholds }) {
      for (const { name, show } of rows) show(thresholds[name]);
    },
  };
}

/** @param onMove called with undefined when what was typed is no threshold. */
function thresholdRow(name: string, onMove: (at: number | undefined) => void) {
  const limits = { min: "0", max: "1", step: "0.01", autocomplete: "off" };
  const id = `threshold-${name}`;
  const range = element("input", { type: "range", id, ...limits });
  const typed = element("input", { type: "number", ...limits, "aria-label": `${name}, typed` });
  let shown = 0;
  const show = (at: number) => {
    shown = at;
    range.value = String(at);
    if (typed.value !== decimals(at)) typed.value = decimals(at);
  };
  range.addEventListener("input", () => onMove(range.valueAsNumber));
  // A number that is still being typed does not count: only the finished one.
  typed.addEventListener("change", () => {
    const at = typed.valueAsNumber;
    const valid = at >= 0 && at <= 1;
    if (!valid) typed.value = decimals(shown);
    onMove(valid ? at : undefined);
  });
  return { element: element("div", { class: "slider" }, element("label", { for: id }, name), range, typed), show };
}
