import { escapeHtml } from "../../core/text.ts";
import SCRIPT from "./page.js" with { type: "text" };
import STYLE from "./page.css" with { type: "text" };
import type { Heading } from "./render.ts";

// A page is self-contained and fetches nothing.
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
}

/** A whole page, self-contained: it can be read without other files, network or scripts. */
export function pageShell({ title, description, links, headings, main, wide = false }: PageContent): string {
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
    `<script>${SCRIPT}</script>`,
    `</body>`,
    `</html>`,
    ``,
  ].join("\n");
}

/** A link as HTML. */
export const link = (text: string, href: string): string => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;
