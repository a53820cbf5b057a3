import { escapeHtml } from "../../core/text.ts";
import { type Cell, type CodeCell, type Notebook, runnableCells } from "../notebooks/notebook_file.ts";
import { pageShell } from "./page_shell.ts";
import { createMarkdownRenderer, highlightCode, type MarkdownRenderer, renderOutput, summaryOf } from "./render.ts";

interface NotebookPageOptions {
  /** Turns a link of the notebook into what the page must write. */
  readonly rebase: (href: string) => string;
  /** From the page to the list of all notebooks, and to the executed notebook. */
  readonly index: string;
  readonly source: string;
}

/** An executed notebook as one self-contained page: its prose, its code to fold away, its outputs. */
export function notebookPage(notebook: Notebook, { rebase, index, source }: NotebookPageOptions): string {
  const markdown = createMarkdownRenderer(rebase);
  const numbers = new Map(runnableCells(notebook).map((cell, i) => [cell, i + 1]));
  const render = (cell: Cell): string => {
    if (cell.cell_type === "markdown") return markdown.render(cell.source);
    if (cell.cell_type === "raw") return `<pre>${escapeHtml(cell.source)}</pre>`;
    const number = numbers.get(cell);
    return number === undefined ? "" : renderCode(cell, number, markdown);
  };
  const main = notebook.cells.map(render).join("\n");
  const links = [["All notebooks", index], ["This notebook, executed (.ipynb)", source]] as const;
  return pageShell({ ...summaryOf(notebook), links, headings: markdown.headings, main });
}

function renderCode(cell: CodeCell, number: number, markdown: MarkdownRenderer): string {
  const lines = cell.source.split("\n").length;
  const summary = `Code, cell ${number} (${lines} ${lines === 1 ? "line" : "lines"})`;
  const code = `<pre tabindex="0"><code class="language-typescript">${highlightCode(cell.source)}</code></pre>`;
  return [
    `<details class="code" open><summary>${summary}</summary>${code}</details>`,
    ...cell.outputs.map((output) => renderOutput(output, markdown)),
  ].join("\n");
}

/** A notebook as the list of all names it. */
interface IndexEntry {
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
