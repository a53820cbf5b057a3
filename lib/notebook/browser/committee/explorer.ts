import { element } from "../element.ts";
import { CARD_STYLE } from "../style.ts";
import type { CommitteeData } from "./data.ts";
import { measureView } from "./measure_view.ts";
import { runView } from "./run_view.ts";
import { COMMITTEE_STYLE } from "./style.ts";

/** Builds the explorer of committees in `root`: how replicates part, and one run to read through. */
export function explorer(root: ShadowRoot, data: CommitteeData): void {
  root.append(
    element("style", {}, CARD_STYLE, COMMITTEE_STYLE),
    element(
      "div",
      { class: "card", role: "group", "aria-label": "Explorer of committees" },
      measureView(data),
      ...(data.runs.length === 0 ? [] : [runView(data)]),
    ),
  );
}
