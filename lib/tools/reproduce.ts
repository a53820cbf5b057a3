import { dirname, join, relative, resolve } from "node:path";
import { mapLimited } from "../core/pool.ts";
import { unknownName, UserError } from "../core/user_error.ts";
import { progress } from "../notebook/progress.ts";
import { type JudgedPlace, judgedPlaces } from "../paper/places.ts";
import { checkOut, missing, writeAtomically } from "../record/files.ts";
import { badArguments, count, interruptible, print, runCommand, say } from "./command.ts";
import {
  findFiles,
  findNotebooks,
  formatNotebook,
  type Notebook,
  notebookText,
  readNotebook,
} from "./notebooks/notebook_file.ts";
import { runNotebook, type RunOptions } from "./notebooks/run_notebook.ts";
import { makeWorkspace, PROJECT } from "./notebooks/workspace.ts";
import { rebaseLink, urlTo } from "./pages/links.ts";
import { indexPage, notebookPage } from "./pages/pages.ts";
import { writeReference } from "./pages/reference.ts";
import { resultsOf, summaryOf } from "./pages/render.ts";

const HELP = `
usage: deno task reproduce [--only NAME]… [--out DIR] [--stored] [--folder DIR]

Runs every notebook from the top, without Jupyter, and writes
  DIR/html/index.html       one self-contained page a notebook or guide page, and a list of them
  DIR/html/api/index.html   the API reference, written again when every notebook runs
  DIR/notebooks/…ipynb      the executed notebooks
Earlier output stays complete when a run fails or is stopped.

  --only NAME   runs only this notebook, such as deliberation/02_chair; may be repeated
  --out DIR     output folder; default data/out
  --stored      also writes the outputs into the notebooks themselves, to be committed
  --folder DIR  folder of the notebooks; default notebooks/
  --help        this text
`;

/** Two processes at a time: a notebook keeps one core busy and needs some hundred megabytes. */
const AT_ONCE = 2;

/** The folder of all notebooks, and that of their outputs. */
interface Place {
  readonly folder: string;
  readonly out: string;
}

interface ReproduceCommand extends Place {
  /** Names of notebooks; all when empty. */
  readonly only: readonly string[];
  readonly stored: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Gets a line for each notebook that failed and each line that a cell wrote to standard error. */
  readonly report?: ((line: string) => void) | undefined;
}

/**
 * Runs notebooks and writes executed notebooks, pages and the list of pages.
 *
 * @returns the path of the list, and how many notebooks were run.
 * @throws {UserError} naming each failed notebook with cell and line; the others are written nevertheless.
 */
export async function reproduce(command: ReproduceCommand): Promise<{ index: string; count: number }> {
  const { only, stored, signal, report = () => {} } = command;
  const [folder, out] = [resolve(command.folder), resolve(command.out)];
  const all = await findNotebooks(folder);
  const chosen = only.length === 0 ? all : [...new Set(only.map((name) => choose(name, all, folder)))];
  const titled = await Promise.all(
    all.map(async (path) => ({ path, title: summaryOf(await readNotebook(path)).title })),
  );
  await using workspace = makeWorkspace(out);
  const failures: string[] = [];
  let done = 0;
  const bar = await progress("Notebooks run", chosen.length);
  await mapLimited(chosen, AT_ONCE, async (path) => {
    const onNotice = (line: string) => report(`${nameOf(path, folder)}: ${line}`);
    const at = all.indexOf(path);
    const [previous, next] = [titled[at - 1], titled[at + 1]];
    const run = await reproduceNotebook(path, { folder, out, workspace, signal, onNotice }, { previous, next });
    done++;
    await bar.advance();
    if (!run.ok) {
      report(`${nameOf(path, folder)} failed`);
      failures.push(run.issue.message);
    } else if (stored) await writeAtomically(path, await formatNotebook(notebookText(run.value)));
  }).catch((error: unknown) => {
    if (signal?.aborted) {
      throw new UserError(`stopped after ${done} of ${chosen.length} notebooks; the pages in ${out} are complete`);
    }
    throw error;
  }).finally(() => bar.finish());
  const index = await writeIndex(all, { folder, out });
  if (failures.length > 0) {
    throw new UserError(`${failures.length} of ${chosen.length} failed\n${failures.sort().join("\n")}`);
  }
  return { index, count: chosen.length };
}

const nameOf = (path: string, folder: string): string =>
  relative(folder, path).replaceAll("\\", "/").replace(/\.ipynb$/, "");

function choose(name: string, all: readonly string[], folder: string): string {
  const wanted = name.replace(/\.ipynb$/, "").replace(/^(\.\/)?notebooks\//, "");
  const names = all.map((path) => nameOf(path, folder)),
    found = names.filter((one) => `/${one}`.endsWith(`/${wanted}`));
  if (found.length === 1) return all[names.indexOf(found[0]!)]!;
  if (found.length === 0) throw unknownName("notebook", name, names);
  throw badArguments(`several notebooks are called ${name}: ${found.join(", ")}`);
}

/** The API reference's folder in the output folder. */
const referenceFolder = (out: string): string => join(out, "html", "api");

/** The page of a notebook or guide page, and its executed notebook. */
function outputPaths(path: string, { folder, out }: Place): { page: string; executed: string } {
  const name = relative(folder, path);
  return { page: join(out, "html", name.replace(/\.(ipynb|md)$/, ".html")), executed: join(out, "notebooks", name) };
}

/** The notebooks before and after, where there are any. */
interface Neighbours {
  readonly previous?: { readonly title: string; readonly path: string } | undefined;
  readonly next?: { readonly title: string; readonly path: string } | undefined;
}

/** Runs one notebook and writes the executed notebook and its page; on a failing cell nothing is written. */
async function reproduceNotebook(path: string, options: Place & RunOptions, neighbours: Neighbours) {
  const run = await runNotebook(await readNotebook(path), path, options);
  if (!run.ok) return run;
  const { executed } = outputPaths(path, options);
  await writeAtomically(executed, notebookText(run.value));
  await writePage(run.value, path, options, { ...neighbours, executed });
  return run;
}

/** Writes the page of a notebook, or of a guide page in the form of one; returns its path. */
async function writePage(
  notebook: Notebook,
  path: string,
  place: Place,
  { previous, next, executed }: Neighbours & { executed?: string } = {},
): Promise<string> {
  const { page } = outputPaths(path, place);
  const to = dirname(page);
  const neighbour = (other: Neighbours["next"]) =>
    other && { title: other.title, href: urlTo(to, outputPaths(other.path, place).page) };
  const html = notebookPage(notebook, {
    rebase: (href) => rebaseLink(href, { root: place.folder, from: dirname(path), to }),
    index: urlTo(to, join(place.out, "html", "index.html")),
    reference: urlTo(to, join(referenceFolder(place.out), "index.html")),
    source: executed && urlTo(to, executed),
    previous: neighbour(previous),
    next: neighbour(next),
  });
  await writeAtomically(page, html);
  return page;
}

/** Lists every notebook that has a page, also from an earlier run. */
async function writeIndex(all: readonly string[], place: Place): Promise<string> {
  const html = join(place.out, "html");
  const entries = [];
  for (const path of all) {
    const { page, executed } = outputPaths(path, place);
    if (await missing(page)) continue;
    const notebook = await readNotebook(await missing(executed) ? path : executed);
    const [half, ...deeper] = nameOf(path, place.folder).split("/");
    entries.push({
      ...{ ...summaryOf(notebook), ...resultsOf(notebook), href: urlTo(html, page) },
      half: deeper.length > 0 ? half : undefined,
    });
  }
  const hrefs = new Set(entries.map(({ href }) => href));
  const places = (await judgedPlaces()).flatMap(({ paper, item, title, notebook, verdicts }) => {
    const href = `${notebook}.html`;
    return hrefs.has(href) ? [{ half: paper, item, title, href, verdict: verdictWords(verdicts) }] : [];
  });
  const guide = await Promise.all((await findFiles(place.folder, ".md")).map(async (path) => {
    const cells: Notebook["cells"] = [{ cell_type: "markdown", metadata: {}, source: await Deno.readTextFile(path) }];
    const page: Notebook = { nbformat: 4, nbformat_minor: 5, metadata: {}, cells };
    return { ...summaryOf(page), href: urlTo(html, await writePage(page, path, place)) };
  }));
  const index = join(html, "index.html");
  const reference = urlTo(html, join(referenceFolder(place.out), "index.html"));
  await writeAtomically(index, indexPage(entries, { reference, places, guide }));
  return index;
}

/** Such as `3 supported, 1 contradicted`. */
function verdictWords(verdicts: JudgedPlace["verdicts"]): string {
  const words = Object.entries(verdicts).filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict.replace("-", " ")}`);
  return words.length === 0 ? "no claim is about it" : words.join(", ");
}

if (import.meta.main) {
  await runCommand({
    name: "reproduce",
    help: HELP,
    options: {
      only: { type: "string", multiple: true, default: [] },
      out: { type: "string", default: join(PROJECT, "data", "out") },
      stored: { type: "boolean", default: false },
      folder: { type: "string", default: join(PROJECT, "notebooks") },
    },
    async run({ values, positionals }) {
      if (positionals.length > 0) {
        throw badArguments(`unexpected ${JSON.stringify(positionals[0])}; a notebook is named with --only`);
      }
      checkOut(values.out);
      const api = referenceFolder(values.out);
      if (await missing(api) || values.only.length === 0) await writeReference(api);
      const made = await interruptible((signal) => reproduce({ ...values, signal, report: say }));
      print(`${count(made.count, "notebook")} run. Open ${relative(Deno.cwd(), made.index)}`);
    },
  });
}
