import { escapeHtml } from "../escape_html.ts";
import { pageShell } from "./page_shell.ts";

/** A notebook as the list of all names it. */
export interface IndexEntry {
  readonly title: string;
  readonly description: string;
  /** From the list to the page. */
  readonly href: string;
}

/** The page that lists all notebooks. */
export function indexPage(entries: readonly IndexEntry[]): string {
  const items = entries.map(({ title, description, href }) =>
    `<li><a href="${escapeHtml(href)}">${escapeHtml(title)}</a>` +
    `${description === "" ? "" : `<br>${escapeHtml(description)}`}</li>`
  );
  const description = "Notebooks about what groups of language models do when they decide together.";
  return pageShell({
    title: "Chaos Lab: notebooks",
    description,
    links: [],
    headings: [],
    main: [`<h1>Chaos Lab: notebooks</h1>`, `<p>${description}</p>`, `<ol>`, ...items, `</ol>`].join("\n"),
  });
}
