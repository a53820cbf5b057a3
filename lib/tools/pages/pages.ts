import { escapeHtml } from "../../core/text.ts";
import { PRESETS } from "../../explorer/committee/presets.ts";
import { toFragment } from "../../explorer/committee/state.ts";
import { FRAGMENT, PRESETS as WEIGHTS } from "../../explorer/rescore/state.ts";
import { type Cell, type CodeCell, type Notebook, runnableCells } from "../notebooks/notebook_file.ts";
import { pageShell } from "./page_shell.ts";
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
  /** Turns a link of the notebook into what the page must write. */
  readonly rebase: (href: string) => string;
  /** From the page to the list of all notebooks, to the API reference, and to the executed notebook, if there is one. */
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
  const findings = resultsOf(notebook).findings.map((words) => markdown.render(words, { html: false }));
  const links = [
    ["All notebooks", index],
    ...(source === undefined ? [] : [["This notebook, executed (.ipynb)", source] as const]),
    ["API reference", reference],
    ...(previous ? [[`Previous: ${previous.title}`, previous.href] as const] : []),
    ...(next ? [[`Next: ${next.title}`, next.href] as const] : []),
  ] as const;
  return pageShell({
    ...summaryOf(notebook),
    links,
    headings: markdown.headings,
    main: [opening, ...findingBox(findings), ...(numbers.size > 0 ? [FOLD] : []), ...rest].join("\n"),
    scripts: numbers.size > 0 ? [FOLDING, FOLLOWING] : [FOLLOWING],
  });
}

function findingBox(findings: readonly string[]): string[] {
  if (findings.length === 0) return [];
  const items = findings.map((html) => `<li>${html}</li>`);
  return [`<aside class="findings" aria-label="Findings"><strong>Findings</strong><ul>`, ...items, `</ul></aside>`];
}

/** One switch for all code; without scripts each cell unfolds by itself. */
const FOLD = `<p><label class="fold"><input type="checkbox" id="show-code"> Show the code of all cells</label></p>`;
const FOLDING = `document.getElementById("show-code").addEventListener("change",(event)=>{` +
  `for(const cell of document.querySelectorAll("details.code"))cell.open=event.target.checked})`;

/** Marks in the contents which section is being read. */
const FOLLOWING =
  `{const links=new Map([...document.querySelectorAll(".contents a")].map((a)=>[decodeURIComponent(a.hash.slice(1)),a]));` +
  `const seen=new IntersectionObserver((entries)=>{for(const {isIntersecting,target} of entries){if(!isIntersecting)continue;` +
  `for(const a of links.values())a.removeAttribute("aria-current");links.get(target.id)?.setAttribute("aria-current","true")}},` +
  `{rootMargin:"0px 0px -70% 0px"});for(const id of links.keys()){const section=document.getElementById(id);if(section)seen.observe(section)}}`;

function renderCode(cell: CodeCell, number: number, markdown: MarkdownRenderer): string {
  const lines = cell.source.split("\n").length;
  const summary = `Code, cell ${number} (${lines} ${lines === 1 ? "line" : "lines"})`;
  const code = `<pre tabindex="0"><code class="language-typescript">${highlightCode(cell.source)}</code></pre>`;
  return [
    `<details class="code"><summary>${summary}</summary>${code}</details>`,
    ...cell.outputs.map((output) => renderOutput(output, markdown)),
  ].join("\n");
}

/** A notebook as the list of all names it. */
interface IndexEntry {
  readonly title: string;
  readonly description: string;
  /** From the list to the page. */
  readonly href: string;
  /** Of which half: `deliberation`, `station`, or neither. */
  readonly half?: string | undefined;
  /** Sentences of result, Markdown. */
  readonly findings: readonly string[];
  readonly thumbnail?: { readonly url: string; readonly alt: string } | undefined;
}

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
] as const;

/** A figure or table of a paper as the landing page lists it. */
interface PlaceEntry {
  readonly half: string;
  readonly item: string;
  readonly title: string;
  readonly href: string;
  /** What the checks say of the claims about it. */
  readonly verdict: string;
}

interface IndexOptions {
  /** From the list to the API reference. */
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
  const card = ({ title, description, href, findings, thumbnail }: IndexEntry) =>
    [
      `<li class="card" data-words="${escapeHtml([title, description, ...findings].join(" ").toLowerCase())}">`,
      ...(thumbnail
        ? [`<img class="thumbnail" alt="First figure of ${escapeHtml(title)}" src="${thumbnail.url}">`]
        : []),
      `<div><a href="${escapeHtml(href)}">${escapeHtml(title)}</a>`,
      ...(description === "" ? [] : [`<br>${escapeHtml(description)}`]),
      ...(findings.length === 0 ? [] : [
        `<ul class="found">`,
        ...findings.map((words) => `<li>${markdown.render(words, { html: false })}</li>`),
        `</ul>`,
      ]),
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
    scripts: [SEARCHING],
  });
}

const GUIDE = ["guide", "Guide"] as const;

function guideSection(pages: NonNullable<IndexOptions["guide"]>): string[] {
  const items = pages.map(({ title, description, href }) =>
    `<li><a href="${escapeHtml(href)}">${escapeHtml(title)}</a>: ${escapeHtml(description)}</li>`
  );
  return items.length === 0
    ? []
    : [`<section><h2 id="${GUIDE[0]}">${GUIDE[1]}</h2><ul>${items.join("")}</ul></section>`];
}

/** The notebooks that can be used without installing anything, and what a newcomer should see in them. */
function frontDoor(entries: readonly IndexEntry[]): string[] {
  const link = (href: string, words: string) => `<a href="${escapeHtml(href)}">${escapeHtml(words)}</a>`;
  const lines = entries.filter(({ href }) => EXPLORER.test(href)).map(({ title, href }) => {
    const opened = COMMITTEES.test(href)
      ? PRESETS.map(({ label, state }) => link(href + toFragment(state), label))
      : WEIGHTS.map(({ label, state }) => link(href + FRAGMENT.write(state), label));
    return `<li>${[link(href, title), ...opened].join(" · ")}</li>`;
  });
  return lines.length === 0 ? [] : [`<p>Try it here, in the page:</p><ul class="explorers">${lines.join("")}</ul>`];
}

const EXPLORER = /_explorer\.html$/;
const COMMITTEES = /deliberation\/\d+_explorer\.html$/;

function placeTable(places: readonly PlaceEntry[]): string {
  if (places.length === 0) return "";
  const rows = places.map(({ item, title, href, verdict }) => {
    const link = `<a href="${escapeHtml(href)}">${escapeHtml(item)}</a>`;
    return `<tr><th scope="row">${link}</th><td>${escapeHtml(title)}</td><td>${escapeHtml(verdict)}</td></tr>`;
  });
  return [
    `<table class="places"><caption>Figures and tables of the paper; what its own numbers say of the claims about them</caption>`,
    `<thead><tr><th scope="col">Item</th><th scope="col">Shows</th><th scope="col">Claims</th></tr></thead>`,
    `<tbody>${rows.join("")}</tbody></table>`,
  ].join("\n");
}

const SEARCHING = `document.getElementById("search").addEventListener("input",({target})=>{` +
  `const words=target.value.toLowerCase().split(/\\s+/).filter(Boolean);let found=0;` +
  `for(const card of document.querySelectorAll(".card")){const hit=words.every((word)=>card.dataset.words.includes(word));` +
  `card.hidden=!hit;found+=hit}document.getElementById("found").textContent=words.length?found+" of "+document.querySelectorAll(".card").length+" notebooks":""})`;
