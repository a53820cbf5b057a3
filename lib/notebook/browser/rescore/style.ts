import { CARD, COLOURS, INK, MUTED, RULE, SHADE } from "../../../figures/palette.ts";

/** The look of the ranking. Thresholds are drawn by two custom properties, so that one write moves every line. */
export const RANKING_STYLE = `
.rankings{max-height:43.4em;overflow-y:auto;border:1px solid ${RULE};border-radius:4px;position:relative}
.ranking + .ranking{border-top:2px solid ${RULE}}
.caption{padding:.55em .85em;background:${SHADE}}
.row{display:grid;grid-template-columns:3.7em 5.1em 11.1em minmax(5.7em,1fr) 7.1em 9.7em;gap:0 .7em;align-items:center;
min-height:1.9em;padding:0 .85em;content-visibility:auto;contain-intrinsic-size:auto 1.9em}
.body .row{border-top:1px solid #f0f0f0}
.head{content-visibility:visible;position:sticky;top:0;z-index:2;background:${CARD};border-bottom:1px solid ${RULE};font-weight:bold;min-height:3em}
.rank{text-align:right}
.change{white-space:nowrap}
.up{color:#00694b}
.down{color:#a33c00}
.undecided,.same{color:${MUTED}}
.name{overflow-wrap:anywhere;line-height:1.25}
.name .muted{display:block;font-size:.85em}
.own .body .row{min-height:2.7em}
.q{white-space:nowrap}
.track{position:relative;align-self:stretch;
background:
linear-gradient(to right,transparent calc(var(--adequate) - .5px),#767676 0,#767676 calc(var(--adequate) + .5px),transparent 0),
linear-gradient(to right,transparent calc(var(--strong) - .5px),${INK} 0,${INK} calc(var(--strong) + .5px),transparent 0),
linear-gradient(to right,${RULE} 1px,transparent 1px) 0/25% 100%}
.mark{position:absolute;top:50%;height:.7em;margin-top:-.35em}
.published .mark{background:${COLOURS[0]};border-radius:2px;min-width:3px}
.own .mark{width:.7em;margin-left:-.35em;background:${COLOURS[1]};transform:rotate(45deg)}
.tick{position:absolute;bottom:.1em;transform:translateX(-50%);font-weight:normal;font-size:.85em;color:${MUTED}}
.tick:first-of-type{transform:none}
.tick:last-of-type{transform:translateX(-100%)}
.thresholds .slider{grid-template-columns:5.7em minmax(4.6em,1fr) 5.7em}
@container (max-width:480px){.thresholds .slider input[type=range]{grid-row:auto;grid-column:auto}}
@container (max-width:832px){
.row{grid-template:"rank name class" "change track q" / 4.9em minmax(0,1fr) 9.4em;gap:.1em .7em;padding:.4em .85em}
.rank{grid-area:rank;text-align:left}.change{grid-area:change}.name{grid-area:name}.class{grid-area:class;text-align:right}
.track{grid-area:track;min-height:1.3em}.q{grid-area:q;text-align:right}
}
@container (max-width:480px){.row{padding:.4em .55em;font-size:.95em;grid-template-columns:4.3em minmax(0,1fr) 8em}}
@media print{.row{content-visibility:visible}.rankings{max-height:none}}
`;
