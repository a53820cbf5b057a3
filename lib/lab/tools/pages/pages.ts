// @ts-types="@types/d3-array"
import { sum } from "d3-array";
import { escapeHtml } from "../../../core/text.ts";
import { type Cell, type CodeCell, type Notebook, runnableCells } from "../notebooks/notebook_file.ts";
import { chip, claimWords, findingBox, findingsOf, findingWords } from "./findings.ts";
import { foldName, importsOnly, parametersOnly } from "./fold_name.ts";
import { link, pageShell } from "./page_shell.ts";
import { createMarkdownRenderer, highlightCode, renderOutput, summaryOf } from "./render.ts";
import { explainTerms, type Glossary, termList } from "./terms.ts";

/** A page of the site: its title, and the link to it. */
export interface Neighbour {
  readonly title: string;
  readonly href: string;
}

export interface NotebookPageOptions {
  /** Rewrites a link of the notebook for the page. */
  readonly rebase: (href: string) => string;
  /** Link from the page to the folder of all pages, such as `../`; default: the page stands in it. */
  readonly root?: string | undefined;
  /** Words above the title: the part of the site that the page belongs to. */
  readonly crumb?: string | undefined;
  /** Link to the executed notebook, if any. */
  readonly source?: string | undefined;
  /** The glossary, where there is one. */
  readonly glossary?: Glossary | undefined;
  readonly previous?: Neighbour | undefined;
  readonly next?: Neighbour | undefined;
}

/** An executed notebook as one self-contained page: its answer, its findings, its prose, its code to unfold, its outputs. */
export function notebookPage(
  notebook: Notebook,
  { rebase, root, crumb, source, glossary, previous, next }: NotebookPageOptions,
): string {
  const markdown = createMarkdownRenderer(rebase);
  const seen = new Set<string>();
  const prose = (text: string) => {
    const html = markdown.render(text);
    return glossary === undefined ? html : explainTerms(html, glossary, seen);
  };
  const folds = foldsOf(notebook);
  const render = (cell: Cell): string => {
    if (cell.cell_type === "markdown") return prose(cell.source);
    if (cell.cell_type === "raw") return `<pre>${escapeHtml(cell.source)}</pre>`;
    return (folds.get(cell) ?? "") + cell.outputs.map((output) => renderOutput(output, markdown)).join("\n");
  };
  const [opening = "", ...rest] = notebook.cells.map(render);
  // An explorer stands as high on its page as it can.
  const explorer = rest.findIndex((html) => html.includes("<div data-controls="));
  if (explorer >= 0) rest.splice(explorer + 1, 0, othersOf(notebook));
  const [, title = "", words = ""] = /^(\s*<h1.*?<\/h1>\s*)?(.*)$/s.exec(opening) ?? [];
  return pageShell({
    ...summaryOf(notebook),
    root,
    links: [
      ...(previous ? [[`← ${previous.title}`, previous.href]] as const : []),
      ...(next ? [[`${next.title} →`, next.href]] as const : []),
    ],
    headings: markdown.headings,
    beside: glossary && termList(glossary, seen),
    main: [
      ...(crumb === undefined ? [] : [`<p class="crumb">${escapeHtml(crumb)}</p>`]),
      title,
      ...headOf(notebook, source),
      explorer < 0 ? othersOf(notebook) : "",
      words,
      ...(folds.size > 0 ? [FOLD] : []),
      ...rest,
    ].join("\n"),
  });
}

/** One switch for the code of all cells; without scripts each cell unfolds by itself. */
const FOLD = `<p><label class="fold"><input type="checkbox" id="show-code"> Show the code of all cells</label></p>`;

/** The answer, and where the data come from. */
function headOf(notebook: Notebook, source: string | undefined): string[] {
  const answer = findingsOf(notebook).find((finding) => finding.answer);
  const small = answer && findingWords(answer).numbers;
  const facts = [
    `${minutesOf(notebook)} min`,
    ...(source === undefined ? [] : [link("notebook", source), `to open it: <code>deno task lab</code>`]),
  ];
  return [
    ...(answer ? [`<p class="answer">${findingWords(answer).sentence}</p>`] : []),
    ...(small ? [`<p class="small">${small}</p>`] : []),
    ...(answer?.claim ? [`<p class="small">${chip(answer.verdict)}${claimWords(answer.claim)}</p>`] : []),
    ...(runnableCells(notebook).length > 0 ? [`<p class="meta">${chip(answer?.origin)}${facts.join(" · ")}</p>`] : []),
  ];
}

/** The findings besides the answer. */
function othersOf(notebook: Notebook): string {
  const findings = findingsOf(notebook), answer = findings.find(({ answer }) => answer);
  return findingBox(findings.filter((finding) => finding !== answer), "Findings");
}

/** Minutes to read a notebook: its words, and a quarter of a minute for each output. */
export function minutesOf({ cells }: Notebook): number {
  const words = cells.filter((cell) => cell.cell_type === "markdown").map(({ source }) => source.split(/\s+/).length);
  const outputs = cells.map((cell) => cell.cell_type === "code" ? cell.outputs.length : 0);
  return Math.max(1, Math.round(sum(words) / 220 + sum(outputs) / 4));
}

/** The code of each cell, folded under what it does; a notebook's imports and parameters share one fold. */
function foldsOf(notebook: Notebook): Map<CodeCell, string> {
  const cells = runnableCells(notebook);
  const imports = cells.slice(0, 4).findLastIndex(({ source }) => importsOnly(source));
  const opening = cells.findIndex(({ source, outputs }, i) =>
    outputs.length > 0 || (i > imports && !parametersOnly(source))
  );
  const setup = cells.slice(0, opening < 0 ? cells.length : opening), last = setup.at(-1);
  const folds = new Map(
    cells.slice(setup.length).map((cell, i) => [cell, fold(foldName(cell.source), cell.source, setup.length + i + 1)]),
  );
  if (last) folds.set(last, fold("set-up", setup.map(({ source }) => source).join("\n\n"), setup.length));
  return folds;
}

function fold(name: string, source: string, number: number): string {
  const lines = source.split("\n").length;
  const code = `<pre tabindex="0"><code class="language-typescript">${highlightCode(source)}</code></pre>`;
  const title = `cell ${number}, ${lines} ${lines === 1 ? "line" : "lines"}`;
  return `<details class="code"><summary title="${title}">Code: ${escapeHtml(name)}</summary>${code}</details>\n`;
}
