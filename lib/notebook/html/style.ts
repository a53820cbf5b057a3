import { DARK, LIGHT, type Palette } from "./palette.ts";

const variables = (palette: Palette): string =>
  Object.entries(palette).map(([name, colour]) => `--${name}:${colour}`).join(";");

/** The style of every page: follows the reader's theme, one column on small screens and on paper. */
export const STYLE = `
:root{color-scheme:light dark;${variables(LIGHT)}}
@media (prefers-color-scheme:dark){:root{${variables(DARK)}}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:1rem/1.6 "DejaVu Sans",Verdana,system-ui,sans-serif}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-999rem}
.skip:focus{left:.5rem;top:.5rem;z-index:1;padding:.5rem 1rem;background:var(--page)}
header,footer{padding:.75rem 1.5rem;border-bottom:1px solid var(--line)}
footer{border:0;border-top:1px solid var(--line);color:var(--muted)}
header a{margin-right:1.5rem}
.layout{display:grid;grid-template-columns:minmax(0,1fr);gap:2rem;max-width:76rem;margin:0 auto;padding:1rem 1.5rem}
@media (min-width:64rem){.layout.with-contents{grid-template-columns:15rem minmax(0,1fr)}.contents{position:sticky;top:1rem;align-self:start;max-height:95vh;overflow:auto}}
.contents ol{list-style:none;margin:0;padding:0}
.contents li{margin:.3rem 0}
.contents .deeper{padding-left:1rem;font-size:.9rem}
main{min-width:0;max-width:56rem}
h1,h2,h3,h4{line-height:1.25;margin:2rem 0 .75rem}
h1{margin-top:.5rem}
p,li,figcaption{overflow-wrap:anywhere}
blockquote{margin:1rem 0;padding-left:1rem;border-left:3px solid var(--line);color:var(--muted)}
main > table{border-collapse:collapse;display:block;overflow-x:auto}
main > table th,main > table td{padding:.25rem .75rem;border-bottom:1px solid var(--line)}
code,pre{font-family:"DejaVu Sans Mono",ui-monospace,Consolas,monospace;font-size:.875rem}
p code,li code{background:var(--code);padding:.1em .3em;border-radius:3px}
pre{margin:.5rem 0;padding:.75rem;overflow-x:auto;background:var(--code);border-radius:6px;line-height:1.45}
pre.output{background:transparent;border-left:3px solid var(--line);border-radius:0;white-space:pre-wrap;overflow-wrap:anywhere}
pre.stderr{border-left-color:var(--keyword)}
.output{margin:.75rem 0}
.output img{max-width:100%;height:auto}
details.code > summary,details.code + .output summary,.output summary{cursor:pointer}
details.code > summary{color:var(--muted);font-size:.875rem}
.hljs-comment{color:var(--muted)}
.hljs-keyword,.hljs-literal,.hljs-built_in{color:var(--keyword)}
.hljs-string,.hljs-regexp,.hljs-subst{color:var(--string)}
.hljs-number{color:var(--number)}
.hljs-title,.hljs-attr,.hljs-property{color:var(--name)}
@media print{.contents,header,.skip{display:none}.layout{display:block;max-width:none;padding:0}details::details-content{content-visibility:visible;height:auto}pre{white-space:pre-wrap}figure,table,pre{break-inside:avoid}h1,h2,h3{break-after:avoid}}
`.trim();
