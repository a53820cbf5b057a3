import { escapeHtml } from "../../../core/text.ts";
import { type Notebook, shownBy } from "../notebooks/notebook_file.ts";
import { findingBox, findingsOf } from "./findings.ts";
import type { Entry } from "./landing.ts";
import { link, pageShell } from "./page_shell.ts";
import { createMarkdownRenderer, renderOutput } from "./render.ts";
import { CONTENT } from "./site_content.ts";

const TITLE = "What needs no surrogate";
const WORDS =
  "Everything here rests on recorded groups of real models, on the papers' printed numbers, or on processes " +
  "whose answer is known by construction.";

/** A figure of some notebooks that needs no surrogate, by its name; empty where none has it. */
export function realFigure(
  entries: readonly { readonly notebook: Notebook }[],
  name: string,
  markdown = createMarkdownRenderer((href) => href),
): string {
  const opening = `<figure data-figure="${name}" data-synthetic="false"`;
  const found = shownBy(entries.flatMap(({ notebook }) => notebook.cells))
    .find(({ data }) => String(data["text/html"]).startsWith(opening));
  return found === undefined ? "" : renderOutput(found, markdown);
}

/** One page of all that holds whatever one thinks of surrogates: findings and figures of the notebooks, by section. */
export function noSurrogatePage(entries: readonly (Entry & { readonly notebook: Notebook })[]): string {
  const markdown = createMarkdownRenderer((href) => href);
  const sections = CONTENT.noSurrogate.map(({ heading, words, notebooks, figures }) => {
    const own = notebooks.flatMap((name) => entries.filter((entry) => entry.name === name));
    const shown = figures.map((name) => realFigure(own, name, markdown));
    const findings = own.flatMap(({ notebook }) => findingsOf(notebook))
      .filter(({ origin }) => origin === "published" || origin === "real models");
    return [
      markdown.render(`## ${heading}`),
      `<p>${escapeHtml(words)}</p>`,
      findingBox(findings, `Findings: ${heading}`),
      ...shown,
      `<ul class="rows">${
        own.map(({ title, href, minutes }) => `<li>${link(title, href)}, ${minutes} min</li>`).join("")
      }</ul>`,
    ].join("\n");
  });
  return pageShell({
    title: TITLE,
    description: WORDS,
    links: [["← All notebooks", "index.html#notebooks"]],
    headings: markdown.headings,
    main: [`<h1>${TITLE}</h1>`, `<p class="lede">${escapeHtml(WORDS)}</p>`, ...sections].join("\n"),
  });
}
