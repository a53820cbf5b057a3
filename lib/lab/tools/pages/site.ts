import { parseHTML } from "linkedom";
import { dirname, join, relative } from "node:path";
import { judgedPlaces } from "../../paper/places.ts";
import { svgOf } from "../../plots/figure.ts";
import { missing, writeAtomically } from "../../../record/files.ts";
import { findFiles, type Notebook, readNotebook, shownBy } from "../notebooks/notebook_file.ts";
import { findingsOf } from "./findings.ts";
import { type Entry, indexPage } from "./landing.ts";
import { rebaseLink, urlTo } from "./links.ts";
import { noSurrogatePage, realFigure } from "./no_surrogate.ts";
import { minutesOf, type Neighbour, notebookPage, type NotebookPageOptions } from "./pages.ts";
import { summaryOf } from "./render.ts";
import { searchIndex, sectionsOf } from "./search_index.ts";
import { CONTENT, groupOf } from "./site_content.ts";
import { termsOf } from "./terms.ts";
import { tableThumbnail, thumbnail } from "./thumbnail.ts";

const GLOSSARY = "guide/glossary";

/** The folder of all notebooks, and that of their outputs. */
export interface Place {
  readonly folder: string;
  readonly out: string;
}

/** A notebook or guide page with its place on the site. */
interface Source extends Entry {
  readonly path: string;
  readonly notebook: Notebook;
  /** The notebook behind the page, if it holds outputs. */
  readonly executed?: string | undefined;
}

/** A notebook's path in the folder of notebooks, with `/` and without ending. */
export const nameOf = (path: string, folder: string): string =>
  relative(folder, path).replaceAll("\\", "/").replace(/\.(ipynb|md)$/, "");

/** The executed notebook of a notebook in the output folder. */
export const executedPath = (path: string, { folder, out }: Place): string =>
  join(out, "notebooks", relative(folder, path));

/**
 * Writes all pages: one a notebook and guide page, the landing page, "What needs no surrogate", and the index of the search.
 *
 * @param all the notebooks, absolute, in order.
 * @param options `stored`: the outputs that the notebooks themselves hold are published; otherwise those of the executed
 * notebooks, and a notebook that was never executed has no page.
 * @returns the path of the landing page.
 */
export async function writeSite(
  all: readonly string[],
  place: Place,
  { stored = false }: { stored?: boolean } = {},
): Promise<string> {
  const html = join(place.out, "html");
  const sources: Source[] = [];
  for (const path of all) {
    const executed = stored ? path : executedPath(path, place);
    if (!await missing(executed)) sources.push(sourceOf(path, await readNotebook(executed), place, executed));
  }
  const guides = await Promise.all((await findFiles(place.folder, ".md")).map(async (path) => {
    const cells: Notebook["cells"] = [{ cell_type: "markdown", metadata: {}, source: await Deno.readTextFile(path) }];
    return sourceOf(path, { nbformat: 4, nbformat_minor: 5, metadata: {}, cells }, place);
  }));
  const pages = new Map<string, string>();
  const words = guides.find(({ name }) => name === GLOSSARY);
  const glossary = words && { href: words.href, terms: termsOf(words.notebook.cells[0]!.source) };
  for (const list of [sources, guides]) {
    list.forEach((one, i) =>
      pages.set(one.href, pageOf(one, { ...place, glossary, previous: list[i - 1], next: list[i + 1] }))
    );
  }
  const chosen = CONTENT.findings.flatMap((choice) => choiceOf(sources, choice));
  const places = (await judgedPlaces()).flatMap((place) =>
    sources.filter(({ name }) => name === place.notebook)
      .map(({ href, notebook }) => ({ ...place, href, picture: pictureOf(notebook, place.item) }))
  );
  const figure = realFigure(sources, CONTENT.figure);
  pages.set("index.html", indexPage({ figure, entries: sources, findings: chosen, places, guide: guides }));
  pages.set("no_surrogate.html", noSurrogatePage(sources));
  for (const [href, page] of pages) await writeAtomically(join(html, decodeURIComponent(href)), page);
  const sections = [...pages].flatMap(([href, page]) => sectionsOf(page, href));
  await writeAtomically(join(html, "search-index.js"), await searchIndex(sections));
  return join(html, "index.html");
}

function sourceOf(path: string, notebook: Notebook, { folder }: Place, executed?: string): Source {
  const name = nameOf(path, folder);
  const href = name.split("/").map(encodeURIComponent).join("/") + ".html";
  return { path, notebook, executed, name, href, minutes: minutesOf(notebook), ...summaryOf(notebook) };
}

function pageOf(
  { path, notebook, executed, name }: Source,
  { folder, out, glossary, previous, next }: Place & Pick<NotebookPageOptions, "glossary" | "previous" | "next">,
): string {
  const to = dirname(join(out, "html", `${name}.html`));
  const root = "../".repeat(name.split("/").length - 1);
  const neighbour = (other?: Neighbour) => other && { title: other.title, href: root + other.href };
  return notebookPage(notebook, {
    rebase: (href) => rebaseLink(href, { root: folder, from: dirname(path), to }),
    root,
    crumb: name.startsWith("guide/") ? "Guide" : groupOf(name).heading,
    source: executed && urlTo(to, executed),
    glossary: glossary && name !== GLOSSARY ? { ...glossary, href: root + glossary.href } : undefined,
    previous: neighbour(previous),
    next: neighbour(next),
  });
}

/** A chosen finding with the page that it is from: by its words, else the answer, else the notebook's first. */
function choiceOf(sources: readonly Source[], { notebook, words }: typeof CONTENT.findings[number]) {
  const source = sources.find(({ name }) => name === notebook);
  if (source === undefined) return [];
  const all = findingsOf(source.notebook);
  const has = (text = "") => words !== undefined && text.toLowerCase().includes(words);
  const finding = all.find(({ claim }) => has(claim)) ?? all.find(({ markdown }) => has(markdown)) ??
    all.find(({ answer }) => answer) ?? all[0];
  return finding === undefined ? [] : [{ finding, href: source.href }];
}

/**
 * A tile for a figure or table: of the output named after it (`figure-1a` for Figure 1) or whose caption names it, else
 * of the first figure, or for a table the first table, below prose that names it, else of the notebook's first.
 */
function pictureOf({ cells }: Notebook, item: string): string | undefined {
  const named = new RegExp(`\\b${item.replace(" ", "s? ")}(?![0-9])`), isTable = item.startsWith("Table");
  const id = new RegExp(`data-figure="${item.toLowerCase().replace(" ", "-")}(?![0-9])`);
  let mentioned = 1;
  const found = cells.flatMap((cell) => {
    if (cell.cell_type !== "code") {
      mentioned = named.test(cell.source) ? 2 : mentioned;
      return [];
    }
    return shownBy([cell]).flatMap(({ data }) => {
      const html = String(data["text/html"] ?? "");
      const caption = /<caption[^>]*>([^<]*)|<figcaption[^>]*>([^<]*)/.exec(html)?.slice(1).join("") ?? "";
      const picture = html.includes("<script") ? undefined : tileOf(html);
      if (picture === undefined) return [];
      const fits = html.includes("<table") === isTable ? 0.5 : 0;
      return [{ picture, rank: id.test(html) ? 4 : named.test(caption) ? 3 + fits : mentioned + fits }];
    });
  });
  return found.toSorted((a, b) => b.rank - a.rank)[0]?.picture;
}

function tileOf(html: string): string | undefined {
  const svg = svgOf(/<img [^>]*src="(data:image\/svg\+xml;base64,[^"]*)"/.exec(html)?.[1] ?? "");
  if (svg !== undefined) return thumbnail(svg);
  if (!html.includes("<table")) return undefined;
  const rows = [...parseHTML(`<body>${html}</body>`).document.querySelectorAll("tr")];
  return tableThumbnail(rows.map((row) => [...row.children].map((cell) => cell.textContent)));
}
