import { escapeHtml } from "../escape_html.ts";
import type { Heading } from "./render_markdown.ts";
import { STYLE } from "./style.ts";

// Nothing may be fetched: a page is all there is.
const POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'";

export interface PageContent {
  readonly title: string;
  readonly description: string;
  /** Links above the page: text and target. */
  readonly links: readonly (readonly [text: string, href: string])[];
  /** Sections to list beside the page. */
  readonly headings: readonly Heading[];
  /** HTML. */
  readonly main: string;
}

/** A whole page, self-contained: no file, no network and no script is needed to read it. */
export function pageShell({ title, description, links, headings, main }: PageContent): string {
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
    `<main id="main" tabindex="-1">`,
    main,
    `</main>`,
    `</div>`,
    `<footer>Chaos Lab for Deno</footer>`,
    `</body>`,
    `</html>`,
    ``,
  ].join("\n");
}

const link = (text: string, href: string): string => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;
