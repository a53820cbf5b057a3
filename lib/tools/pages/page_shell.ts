import { escapeHtml } from "../../core/text.ts";
import POINTS from "./points.js" with { type: "text" };
import SCRIPT from "./page.js" with { type: "text" };
import STYLE from "./page.css" with { type: "text" };
import type { Heading } from "./render.ts";

// A page is self-contained; only its search fetches a file, the index of all pages beside it.
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; " +
  "script-src 'unsafe-inline' 'wasm-unsafe-eval' 'self' file:; worker-src data:; base-uri 'none'";

interface PageContent {
  readonly title: string;
  readonly description: string;
  /** Link from the page to the folder of all pages, such as `../`; default: the page stands in it. */
  readonly root?: string | undefined;
  /** Links below the page, such as the next one: text and target. */
  readonly links: readonly (readonly [text: string, href: string])[];
  /** Sections to list beside the page. */
  readonly headings: readonly Heading[];
  /** HTML below the list of sections. */
  readonly beside?: string | undefined;
  /** HTML. */
  readonly main: string;
  /** Whether the page uses the whole width. */
  readonly wide?: boolean;
}

/** The navigation of every page: text, and target in the folder of all pages. */
const NAVIGATION = [
  ["Papers", "index.html#papers"],
  ["Notebooks", "index.html#notebooks"],
  ["Explorers", "index.html#explorers"],
  ["Guide", "index.html#guide"],
  ["API", "api/index.html"],
] as const;

/** A whole page, self-contained: it can be read without other files, network or scripts. */
export function pageShell(
  { title, description, root = "", links, headings, beside = "", main, wide = false }: PageContent,
): string {
  const sections = headings.filter(({ depth }) => depth === 2 || depth === 3);
  const contents = sections.map(({ depth, id, text }) =>
    `<li${depth === 3 ? ` class="deeper"` : ""}>${link(text, `#${encodeURIComponent(id)}`)}</li>`
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
    // An empty icon: otherwise a browser requests one from the server.
    `<link rel="icon" href="data:,">`,
    `<style>${STYLE}</style>`,
    `</head>`,
    `<body data-root="${escapeHtml(root)}">`,
    `<a class="skip" href="#main">Skip to content</a>`,
    `<header><nav aria-label="Site"><a class="brand" href="${escapeHtml(root)}index.html">Chaos Lab</a>`,
    ...NAVIGATION.map(([text, href]) => link(text, root + href)),
    `<search><input type="search" id="search" placeholder="Search all pages ( / )" aria-label="Search all pages" autocomplete="off"></search>`,
    `</nav><div id="found" role="region" aria-label="Pages found" aria-live="polite" hidden></div></header>`,
    `<div class="layout${contents.length > 0 ? " with-contents" : ""}">`,
    ...(contents.length > 0
      ? [
        `<div class="side"><details open><summary>Contents</summary><nav class="contents" aria-label="Contents"><ol>`,
        ...contents,
        `</ol></nav></details>${beside}</div>`,
      ]
      : []),
    `<main id="main" tabindex="-1"${wide ? ` class="wide"` : ""}>`,
    main,
    `</main>`,
    `</div>`,
    ...(links.length > 0
      ? [`<nav class="onward" aria-label="More pages">`, ...links.map(([text, href]) => link(text, href)), `</nav>`]
      : []),
    `<footer>Chaos Lab for Deno</footer>`,
    `<script>${SCRIPT}${main.includes(`class="drawing`) ? POINTS : ""}</script>`,
    `</body>`,
    `</html>`,
    ``,
  ].join("\n");
}

/** A link as HTML. */
export const link = (text: string, href: string): string => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;
