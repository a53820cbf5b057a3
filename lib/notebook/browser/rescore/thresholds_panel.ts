import type { Thresholds } from "../../../quality/classify.ts";
import { element, setText } from "../element.ts";
import { decimals } from "./texts.ts";
import type { Panel } from "./weights_panel.ts";

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
  // While somebody types, half a number is no threshold: it counts once it is done.
  typed.addEventListener("change", () => {
    const at = typed.valueAsNumber;
    const valid = at >= 0 && at <= 1;
    if (!valid) typed.value = decimals(shown);
    onMove(valid ? at : undefined);
  });
  return { element: element("div", { class: "slider" }, element("label", { for: id }, name), range, typed), show };
}
