import { CARD, COLOURS, INK, MUTED, RULE, SHADE } from "../plots/palette.ts";

/**
 * The look of every output with controls: a white card that is readable on light and dark pages alike. Lengths are in em,
 * for the root of classic Notebook has letters of 10 pixels.
 */
export const CARD_STYLE = `
:host{all:initial;display:block;color-scheme:light}
*{box-sizing:border-box}
.card{container-type:inline-size;padding:1.1em;background:${CARD};color:${INK};border:1px solid #d0d0d0;border-radius:6px;
font:max(14px,.875rem)/1.45 "DejaVu Sans",Verdana,system-ui,sans-serif;font-variant-numeric:tabular-nums;text-align:left}
p,ul{margin:.55em 0}
ul{padding-left:1.4em}
fieldset{margin:0 0 .85em;padding:0;border:0;min-width:0}
legend{padding:0;font-weight:bold;margin-bottom:.4em}
label{font-weight:normal}
input,select,button{font:inherit;color:inherit;accent-color:${COLOURS[0]}}
select,button,input[type=number]{background:${CARD};border:1px solid #767676;border-radius:4px;padding:.25em .55em}
button{cursor:pointer}
button:hover{background:${SHADE}}
input[type=range]{margin:0;width:100%;height:1.4em;cursor:pointer}
a{color:#0b57a4}
:focus-visible{outline:3px solid #0b57a4;outline-offset:2px}
.muted{color:${MUTED}}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.bar{display:flex;flex-wrap:wrap;gap:.55em 1.1em;align-items:center;margin-bottom:.55em}
.sliders{display:grid;gap:.4em 2.9em;grid-template-columns:minmax(0,1fr)}
.slider{display:grid;grid-template-columns:11.7em minmax(4.6em,1fr) 2.7em 3.9em;gap:.6em;align-items:center}
.slider .value{text-align:right;white-space:nowrap}
@container (min-width:736px){.sliders{grid-template-columns:repeat(2,minmax(0,1fr))}}
@container (min-width:1248px){.sliders{grid-template-columns:repeat(3,minmax(0,1fr))}}
@container (max-width:480px){.slider{grid-template-columns:minmax(0,1fr) 2.9em 4em;gap:.1em .7em}.slider input[type=range]{grid-row:2;grid-column:1/-1}}
.rule{border-top:1px solid ${RULE};padding-top:.85em}
`;
