import { escapeHtml } from "../../core/text.ts";
import type { Heading } from "./render.ts";

/** The colours of a page under one theme. Every text colour has a contrast of 4.5 or more on its ground (WCAG AA). */
export interface Palette {
  readonly page: string;
  readonly code: string;
  readonly line: string;
  readonly text: string;
  readonly muted: string;
  readonly link: string;
  readonly keyword: string;
  readonly string: string;
  readonly number: string;
  readonly name: string;
}

export const LIGHT: Palette = {
  page: "#ffffff",
  code: "#f5f6f8",
  line: "#d0d4da",
  text: "#1b1b1b",
  muted: "#555c66",
  link: "#0b57a4",
  keyword: "#b3202b",
  string: "#0a3f7a",
  number: "#0550ae",
  name: "#6639ba",
};

export const DARK: Palette = {
  page: "#15181d",
  code: "#20242b",
  line: "#3f4650",
  text: "#e8eaed",
  muted: "#a9b1bc",
  link: "#8ab4f8",
  keyword: "#ff8a80",
  string: "#a5d6ff",
  number: "#79c0ff",
  name: "#d2a8ff",
};

const variables = (palette: Palette): string =>
  Object.entries(palette).map(([name, colour]) => `--${name}:${colour}`).join(";");

/** The style of every page: follows the reader's theme, one column on small screens and on paper. */
const STYLE = `
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
.contents a[aria-current]{font-weight:bold}
.anchor{color:var(--muted);text-decoration:none;font-weight:normal;font-size:.8em}
.findings{margin:1rem 0;padding:.5rem 1rem;border-left:4px solid var(--link);background:var(--code)}
.findings ul{margin:.25rem 0;padding-left:1.25rem}
.findings p,.found p{margin:.25rem 0}
main.wide{max-width:none}
.halves{display:grid;gap:2rem}
@media (min-width:64rem){.halves{grid-template-columns:1fr 1fr}}
.cards{list-style:none;padding:0}
.card{display:flex;gap:1rem;margin:1rem 0;align-items:flex-start}
.card[hidden]{display:none}
.thumbnail{flex:none;width:11rem;max-height:9rem;object-fit:contain;object-position:top;background:#fff;border:1px solid var(--line);border-radius:4px}
@media (max-width:40rem){.card{flex-direction:column}}
.places{border-collapse:collapse;font-size:.9rem;width:100%}
.places caption{text-align:left;padding-bottom:.5rem;color:var(--muted)}
.places th,.places td{text-align:left;padding:.2rem .5rem;border-bottom:1px solid var(--line);vertical-align:top}
.places th[scope=row]{white-space:nowrap}
.found{font-size:.9rem;padding-left:1.25rem}
@media print{.contents,header,.skip{display:none}.layout{display:block;max-width:none;padding:0}details::details-content{content-visibility:visible;height:auto}pre{white-space:pre-wrap}figure,table,pre{break-inside:avoid}h1,h2,h3{break-after:avoid}}
`.trim();

// Nothing may be fetched: a page is all there is.
const POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src data:; " +
  "base-uri 'none'";

interface PageContent {
  readonly title: string;
  readonly description: string;
  /** Links above the page: text and target. */
  readonly links: readonly (readonly [text: string, href: string])[];
  /** Sections to list beside the page. */
  readonly headings: readonly Heading[];
  /** HTML. */
  readonly main: string;
  /** Room for two columns of cards. */
  readonly wide?: boolean;
  /** Comfort only: everything can be read without them. */
  readonly scripts?: readonly string[];
}

/** A whole page, self-contained: no file, no network and no script is needed to read it. */
export function pageShell(
  { title, description, links, headings, main, wide = false, scripts = [] }: PageContent,
): string {
  const sections = headings.filter(({ depth }) => depth === 2 || depth === 3);
  const contents = sections.map(({ depth, id, text }) =>
    `<li${depth === 3 ? ` class="deeper"` : ""}><a href="#${escapeHtml(encodeURIComponent(id))}">${
      escapeHtml(text)
    }</a></li>`
  );
  return [
    `<!DOCTYPE html>`,
    `<html lang="en-GB">`,
    `<head>`,
    `<meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    `<title>${escapeHtml(title)}</title>`,
    `<meta name="description" content="${escapeHtml(description)}">`,
    // An icon of nothing: a browser would ask the server for one.
    `<link rel="icon" href="data:,">`,
    `<style>${STYLE}</style>`,
    `</head>`,
    `<body>`,
    `<a class="skip" href="#main">Skip to content</a>`,
    `<header><nav aria-label="Site">${links.map(([text, href]) => link(text, href)).join("\n")}</nav></header>`,
    `<div class="layout${contents.length > 0 ? " with-contents" : ""}">`,
    ...(contents.length > 0 ? [`<nav class="contents" aria-label="Contents"><ol>`, ...contents, `</ol></nav>`] : []),
    `<main id="main" tabindex="-1"${wide ? ` class="wide"` : ""}>`,
    main,
    `</main>`,
    `</div>`,
    `<footer>Chaos Lab for Deno</footer>`,
    ...scripts.map((script) => `<script>${script}</script>`),
    `</body>`,
    `</html>`,
    ``,
  ].join("\n");
}

const link = (text: string, href: string): string => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;
