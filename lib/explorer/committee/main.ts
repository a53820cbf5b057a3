import { MUTED, RULE, SHADE } from "../../plots/palette.ts";
import { element, mount } from "../dom.ts";
import { CARD_STYLE } from "../style.ts";
import type { CommitteeData } from "./data.ts";
import { measureView } from "./measure_view.ts";
import { runView } from "./run_view.ts";

/** The look of the explorer of committees. */
const COMMITTEE_STYLE = `
.title{font-weight:bold;font-size:1.15em;margin-top:0}
section + section{margin-top:1.1em}
.radios{display:inline-flex;gap:.85em}
.columns{display:grid;gap:.85em 2em;grid-template-columns:minmax(0,1fr);margin-top:.55em}
@container (min-width:832px){.columns{grid-template-columns:minmax(0,3fr) minmax(0,2fr)}}
@container (min-width:832px){.reading{grid-template-columns:minmax(0,2fr) minmax(0,3fr)}.stacked{grid-template-columns:minmax(0,1fr)}}
.scrub{grid-template-columns:minmax(0,1fr)}
svg{display:block;overflow:visible}
.chart,.strip,.standing{width:100%;overflow:hidden}
.legend{gap:.2em 1.1em;margin:0 0 .2em}
.key{display:inline-flex;align-items:center;gap:.45em}
.results{margin:0 0 .85em;display:grid;gap:.1em}
.results div{display:flex;justify-content:space-between;gap:1em;border-bottom:1px solid ${RULE};padding:.2em 0}
dt,dd{margin:0}
dd{text-align:right}
.lambda{font-weight:bold;font-size:1.15em}
caption{text-align:left;padding:0 .45em .2em;color:${MUTED}}
table{border-collapse:collapse;width:100%}
th,td{padding:.25em .55em;text-align:left;border-bottom:1px solid ${RULE};vertical-align:top}
tbody th{font-weight:normal;white-space:nowrap}
tbody th svg{display:inline-block;vertical-align:-.15em}
td.number,th.number{text-align:right}
.states th,.states td{padding:.25em .45em}
.tags{min-width:10.4em}
@container (max-width:480px){.states{font-size:.88em}.states th,.states td{padding:.25em .3em}.tags{min-width:9em}}
tbody .best > *{background:${SHADE};font-weight:bold}
.scroll{overflow-x:auto}
summary{cursor:pointer;padding:.25em 0}
.words{border-top:1px solid ${RULE};margin-top:.55em}
.words p{overflow-wrap:anywhere}
@media print{details::details-content{content-visibility:visible;height:auto}}
`;

/** Builds the explorer of committees in `root`: how replicates part, and one run to read through. */
function explorer(root: ShadowRoot, data: CommitteeData): void {
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

/** The script of the explorer of committees, as `controls` bundles it. */

mount(explorer);
