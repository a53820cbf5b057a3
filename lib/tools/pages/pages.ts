import { escapeHtml } from "../../core/text.ts";
import { PRESETS, toFragment } from "../../explorer/committee/state.ts";
import { FRAGMENT, PRESETS as WEIGHTS } from "../../explorer/rescore/state.ts";
import { type Cell, type CodeCell, type Notebook, runnableCells } from "../notebooks/notebook_file.ts";
import { link, pageShell } from "./page_shell.ts";
import {
  createMarkdownRenderer,
  highlightCode,
  type MarkdownRenderer,
  renderOutput,
  resultsOf,
  summaryOf,
} from "./render.ts";

/** A page of the site: its title, and the link to it. */
interface Neighbour {
  readonly title: string;
  readonly href: string;
}

interface NotebookPageOptions {
  /** Rewrites a link of the notebook for the page. */
  readonly rebase: (href: string) => string;
  /**
   * Links from the page to the list of all notebooks, to the API reference and to the executed notebook, if any.
   */
  readonly index: string;
  readonly reference: string;
  readonly source?: string | undefined;
  readonly previous?: Neighbour | undefined;
  readonly next?: Neighbour | undefined;
}

/** An executed notebook as one self-contained page: its findings, its prose, its code to unfold, its outputs. */
export function notebookPage(
  notebook: Notebook,
  { rebase, index, reference, source, previous, next }: NotebookPageOptions,
): string {
  const markdown = createMarkdownRenderer(rebase);
  const numbers = new Map(runnableCells(notebook).map((cell, i) => [cell, i + 1]));
  const render = (cell: Cell): string => {
    if (cell.cell_type === "markdown") return markdown.render(cell.source);
    if (cell.cell_type === "raw") return `<pre>${escapeHtml(cell.source)}</pre>`;
    const number = numbers.get(cell);
    return number === undefined ? "" : renderCode(cell, number, markdown);
  };
  const [opening = "", ...rest] = notebook.cells.map(render);
  const findings = resultsOf(notebook).findings.map((words) => `<li>${markdown.render(words, { html: false })}</li>`);
  const links: [string, string | undefined][] = [
    ["All notebooks", index],
    ["This notebook, executed (.ipynb)", source],
    ["API reference", reference],
    [`Previous: ${previous?.title}`, previous?.href],
    [`Next: ${next?.title}`, next?.href],
  ];
  return pageShell({
    ...summaryOf(notebook),
    links: links.flatMap(([text, href]) => href === undefined ? [] : [[text, href] as const]),
    headings: markdown.headings,
    main: [
      opening,
      ...(findings.length > 0 ? [FINDINGS, ...findings, `</ul></aside>`] : []),
      ...(numbers.size > 0 ? [FOLD] : []),
      ...rest,
    ].join("\n"),
  });
}

const FINDINGS = `<aside class="findings" aria-label="Findings"><strong>Findings</strong><ul>`;
/** One switch for the code of all cells; without scripts each cell unfolds by itself. */
const FOLD = `<p><label class="fold"><input type="checkbox" id="show-code"> Show the code of all cells</label></p>`;
function renderCode(cell: CodeCell, number: number, markdown: MarkdownRenderer): string {
  const lines = cell.source.split("\n").length;
  const summary = `Code, cell ${number} (${lines} ${lines === 1 ? "line" : "lines"})`;
  const code = `<pre tabindex="0"><code class="language-typescript">${highlightCode(cell.source)}</code></pre>`;
  return [
    `<details class="code"><summary>${summary}</summary>${code}</details>`,
    ...cell.outputs.map((output) => renderOutput(output, markdown)),
  ].join("\n");
}

/** An entry of the list of notebooks. */
interface IndexEntry {
  readonly title: string;
  readonly description: string;
  /** The link from the list to the page. */
  readonly href: string;
  /** `deliberation`, `station`, `groups`, or none of them. */
  readonly half?: string | undefined;
  /** Result sentences, Markdown. */
  readonly findings: readonly string[];
  readonly thumbnail?: { readonly url: string; readonly alt: string } | undefined;
}

/** Sections of the landing page: folder of the notebooks, heading, question. */
const HALVES = [
  [
    "deliberation",
    "Chaotic Dynamics in Multi-LLM Deliberation",
    "Five agents argue over a policy question for twenty rounds. How fast do replicate runs drift apart, and why?",
  ],
  [
    "station",
    "Chaos Lab: When the Station Survived and the Benchmark Failed",
    "Six roles must save the station Mosaic-9. What kind of survival was it, and who earned it?",
  ],
  [
    "groups",
    "Real groups",
    "Others recorded groups of real language models in naming games and negotiations. Do their runs drift apart?",
  ],
] as const;

/** A figure or table of a paper as the landing page lists it. */
interface PlaceEntry {
  readonly half: string;
  readonly item: string;
  readonly title: string;
  readonly href: string;
  /** Verdicts on the claims about it. */
  readonly verdict: string;
}

interface IndexOptions {
  /** Link from the list to the API reference. */
  readonly reference: string;
  readonly places?: readonly PlaceEntry[];
  readonly guide?: readonly Pick<IndexEntry, "title" | "description" | "href">[];
}

/** The landing page: the two papers side by side, each notebook with its picture and findings, and a search. */
export function indexPage(
  entries: readonly IndexEntry[],
  { reference, places = [], guide = [] }: IndexOptions,
): string {
  const markdown = createMarkdownRenderer((href) => href);
  const item = (words: string) => `<li>${markdown.render(words, { html: false })}</li>`;
  const card = ({ title, description, href, findings, thumbnail }: IndexEntry) =>
    [
      `<li class="card" data-words="${escapeHtml([title, description, ...findings].join(" ").toLowerCase())}">`,
      ...(thumbnail
        ? [`<img class="thumbnail" alt="First figure of ${escapeHtml(title)}" src="${thumbnail.url}">`]
        : []),
      `<div>${link(title, href)}`,
      ...(description === "" ? [] : [`<br>${escapeHtml(description)}`]),
      ...(findings.length === 0 ? [] : [`<ul class="found">`, ...findings.map(item), `</ul>`]),
      `</div></li>`,
    ].join("\n");
  const halves = HALVES.map(([half, paper, question]) => {
    const cards = entries.filter((entry) => entry.half === half).map(card).join("\n");
    const listed = placeTable(places.filter((place) => place.half === half));
    return [
      `<section><h2 id="${half}">${escapeHtml(paper)}</h2><p>${escapeHtml(question)}</p>`,
      `<ul class="cards">${cards}</ul>${listed}</section>`,
    ].join("\n");
  });
  const others = entries.filter((entry) => !HALVES.some(([half]) => half === entry.half)).map(card).join("\n");
  const description = "Notebooks about what groups of language models do when they decide together.";
  return pageShell({
    title: "Chaos Lab: notebooks",
    description,
    links: [["API reference", reference]],
    headings: [...(guide.length > 0 ? [GUIDE] : []), ...HALVES].map(([id, text]) => ({ depth: 2, id, text })),
    main: [
      `<h1>Chaos Lab: notebooks</h1>`,
      `<p>${description} What seeded surrogates produce is marked as synthetic: they are mechanisms, not language models.</p>`,
      `<p><label>Search <input type="search" id="search" autocomplete="off"></label> <span id="found" aria-live="polite"></span></p>`,
      ...frontDoor(entries),
      `<ul class="cards">${others}</ul>`,
      ...guideSection(guide),
      `<div class="halves">`,
      ...halves,
      `</div>`,
    ].join("\n"),
    wide: true,
  });
}

const GUIDE = ["guide", "Guide"] as const;

function guideSection(pages: NonNullable<IndexOptions["guide"]>): string[] {
  if (pages.length === 0) return [];
  const items = pages.map(({ title, description, href }) =>
    `<li>${link(title, href)}: ${escapeHtml(description)}</li>`
  );
  return [`<section><h2 id="${GUIDE[0]}">${GUIDE[1]}</h2><ul>${items.join("")}</ul></section>`];
}

/** Links to the notebooks that work without installing anything, each opened on settings for a newcomer. */
function frontDoor(entries: readonly IndexEntry[]): string[] {
  const lines = entries.filter(({ href }) => EXPLORER.test(href)).map(({ title, href }) => {
    const opened = COMMITTEES.test(href)
      ? PRESETS.map(({ label, state }) => link(label, href + toFragment(state)))
      : WEIGHTS.map(({ label, state }) => link(label, href + FRAGMENT.write(state)));
    return `<li>${[link(title, href), ...opened].join(" · ")}</li>`;
  });
  return lines.length === 0 ? [] : [`<p>Try it here, in the page:</p><ul class="explorers">${lines.join("")}</ul>`];
}

const EXPLORER = /_explorer\.html$/;
const COMMITTEES = /deliberation\/\d+_explorer\.html$/;

function placeTable(places: readonly PlaceEntry[]): string {
  if (places.length === 0) return "";
  const rows = places.map(({ item, title, href, verdict }) =>
    `<tr><th scope="row">${link(item, href)}</th><td>${escapeHtml(title)}</td><td>${escapeHtml(verdict)}</td></tr>`
  );
  return [
    `<table class="places"><caption>Figures and tables of the paper; verdicts of their own numbers on the claims about them</caption>`,
    `<thead><tr><th scope="col">Item</th><th scope="col">Shows</th><th scope="col">Claims</th></tr></thead>`,
    `<tbody>${rows.join("")}</tbody></table>`,
  ].join("\n");
}
