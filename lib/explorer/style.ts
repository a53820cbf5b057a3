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
input[type=range]{margin:0;height:1.4em;cursor:pointer}
a{color:#0b57a4}
:focus-visible{outline:3px solid #0b57a4;outline-offset:2px}
.muted{color:${MUTED}}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.bar{display:flex;flex-wrap:wrap;gap:.55em 1.1em;align-items:center;margin-bottom:.55em}
.explorer{display:grid;gap:1em 2em;grid-template-columns:minmax(0,1fr)}
@container (min-width:832px){.explorer{grid-template-columns:20em minmax(0,1fr)}}
.title{font-weight:bold;font-size:1.1em;margin:.4em 0}
form{display:grid;gap:.1em .6em;margin:0 0 .5em;grid-template-columns:minmax(0,1fr)}
form>div{display:flex;gap:.6em;align-items:center;flex-wrap:wrap}
form input[type=number]{width:6em;flex:none}
form input[type=range]{flex:1;width:auto;min-width:6em}
form select{width:100%;min-width:0}
form[class*=toggle]{grid-template-columns:auto 1fr;align-items:center}
form input[type=checkbox],form input[type=radio]{margin:0 .3em 0 0}
.complaint{color:#a4262c}
.complaint:empty{display:none}
.plot{width:100%;min-width:0;overflow:hidden;margin:.4em 0}
.plot svg{display:block;max-width:100%;height:auto}
.reader{display:grid;gap:0 1.5em;grid-template-columns:repeat(auto-fit,minmax(14em,1fr))}
.drop{border:1px dashed #767676;border-radius:4px;padding:.6em}
.drop textarea,.drop input{width:100%;margin:.3em 0}
.said{overflow-wrap:anywhere}
.swatch{display:inline-block;width:.8em;height:.8em;margin-right:.4em;border-radius:2px}
.scroll{overflow-x:auto}
pre{overflow-x:auto;font-size:.85em}
summary{cursor:pointer;padding:.25em 0}
[hidden]{display:none}
.rule{border-top:1px solid ${RULE};padding-top:.85em}
`;
