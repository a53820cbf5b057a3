import { dirname, join, relative, resolve } from "node:path";
import { mapLimited } from "../core/map_limited.ts";
import { unknownName } from "../core/nearest.ts";
import { UserError } from "../core/user_error.ts";
import { progress } from "../notebook/progress.ts";
import { type JudgedPlace, judgedPlaces } from "../paper/places.ts";
import { checkOut, writeAtomically } from "../runs/files.ts";
import { badArguments, interruptible, print, runCommand, say } from "./command.ts";
import {
  findFiles,
  findNotebooks,
  formatNotebook,
  type Notebook,
  notebookText,
  readNotebook,
} from "./notebooks/notebook_file.ts";
import { outputPaths, reproduceNotebook } from "./notebooks/reproduce_notebook.ts";
import { makeWorkspace, PROJECT } from "./notebooks/workspace.ts";
import { rebaseLink, urlTo } from "./pages/links.ts";
import { indexPage, notebookPage } from "./pages/pages.ts";
import { referenceFolder, writeReference } from "./pages/reference.ts";
import { resultsOf, summaryOf } from "./pages/render.ts";

const HELP = `
usage: deno task reproduce [--only NAME]… [--out DIR] [--stored] [--folder DIR]

Runs every notebook from the top, without Jupyter, and writes
  DIR/html/index.html       one self-contained page a notebook or guide page, and a list of them
  DIR/html/api/index.html   the API reference, made anew when every notebook is run
  DIR/notebooks/…ipynb      the executed notebooks
Earlier output stays whole when a run fails or is stopped.

  --only NAME   this notebook alone, such as deliberation/02_chair; may be repeated
  --out DIR     where to write; default data/out
  --stored      also write the outputs into the notebooks themselves, to be committed
  --folder DIR  where the notebooks are; default notebooks/
  --help        this text
`;

/** Two processes at a time: a notebook keeps one core busy and needs some hundred megabytes. */
const AT_ONCE = 2;

interface ReproduceCommand {
  readonly folder: string;
  readonly out: string;
  /** Names of notebooks; all when empty. */
  readonly only: readonly string[];
  readonly stored: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Told which notebooks failed, and what cells said on standard error. */
  readonly report?: ((line: string) => void) | undefined;
}

/**
 * Runs notebooks and writes executed notebooks, pages and the list of pages.
 *
 * @returns the path of the list, and how many notebooks were run.
 * @throws {UserError} naming each notebook that failed with cell and line; the others are written all the same.
 */
export async function reproduce(command: ReproduceCommand): Promise<{ index: string; count: number }> {
  const { only, stored, signal, report = () => {} } = command;
  const [folder, out] = [resolve(command.folder), resolve(command.out)];
  const all = await findNotebooks(folder);
  const chosen = only.length === 0 ? all : [...new Set(only.map((name) => choose(name, all, folder)))];
  const titled = await Promise.all(
    all.map(async (path) => ({ path, title: summaryOf(await readNotebook(path)).title })),
  );
  await using workspace = await makeWorkspace(out);
  const failures: string[] = [];
  let done = 0;
  const bar = await progress("Notebooks run", chosen.length);
  await mapLimited(chosen, AT_ONCE, async (path) => {
    const onNotice = (line: string) => report(`${nameOf(path, folder)}: ${line}`);
    const at = all.indexOf(path);
    const [previous, next] = [titled[at - 1], titled[at + 1]];
    const run = await reproduceNotebook(path, { folder, out, workspace, signal, onNotice, previous, next });
    done++;
    await bar.advance();
    if (!run.ok) {
      report(`${nameOf(path, folder)} failed`);
      failures.push(run.issue.message);
    } else if (stored) await writeAtomically(path, await formatNotebook(notebookText(run.value)));
  }).catch((error: unknown) => {
    if (signal?.aborted) {
      throw new UserError(`stopped after ${done} of ${chosen.length} notebooks; what is in ${out} is whole`);
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
  const found = all.filter((path) => nameOf(path, folder) === wanted || nameOf(path, folder).endsWith(`/${wanted}`));
  if (found.length === 1) return found[0]!;
  const names = all.map((path) => nameOf(path, folder));
  if (found.length === 0) throw unknownName("notebook", name, names);
  const offers = found.map((path) => nameOf(path, folder)).join(", ");
  throw badArguments(`several notebooks are called ${name}: ${offers}`);
}

/** Lists every notebook that has a page, also from an earlier run. */
async function writeIndex(all: readonly string[], place: { folder: string; out: string }): Promise<string> {
  const index = join(place.out, "html", "index.html");
  const entries = [];
  for (const path of all) {
    const { page, executed } = outputPaths(path, place);
    const exists = await Deno.stat(page).then(() => true, () => false);
    if (!exists) continue;
    const ran = await Deno.stat(executed).then(() => true, () => false);
    const notebook: Notebook = await readNotebook(ran ? executed : path);
    const [half] = nameOf(path, place.folder).includes("/") ? nameOf(path, place.folder).split("/") : [];
    entries.push({ ...summaryOf(notebook), ...resultsOf(notebook), half, href: urlTo(join(place.out, "html"), page) });
  }
  const hrefs = new Set(entries.map(({ href }) => href));
  const places = (await judgedPlaces()).flatMap(({ paper, item, title, notebook, verdicts }) => {
    const href = `${notebook}.html`;
    return hrefs.has(href) ? [{ half: paper, item, title, href, verdict: verdictWords(verdicts) }] : [];
  });
  const reference = urlTo(join(place.out, "html"), join(referenceFolder(place.out), "index.html"));
  await writeAtomically(index, indexPage(entries, { reference, places, guide: await writeGuide(place) }));
  return index;
}

/** Writes a page for each Markdown file beside the notebooks; returns their entries in the list. */
async function writeGuide({ folder, out }: { folder: string; out: string }) {
  const html = join(out, "html");
  const write = async (path: string) => {
    const { page } = outputPaths(path, { folder, out });
    const to = dirname(page);
    const source = await Deno.readTextFile(path);
    const cells: Notebook["cells"] = [{ cell_type: "markdown", metadata: {}, source }];
    const guide: Notebook = { nbformat: 4, nbformat_minor: 5, metadata: {}, cells };
    await writeAtomically(
      page,
      notebookPage(guide, {
        rebase: (href) => rebaseLink(href, { root: folder, from: dirname(path), to }),
        index: urlTo(to, join(html, "index.html")),
        reference: urlTo(to, join(referenceFolder(out), "index.html")),
      }),
    );
    return { ...summaryOf(guide), href: urlTo(html, page) };
  };
  return await Promise.all((await findFiles(folder, ".md")).map(write));
}

/** `3 supported, 1 contradicted`; a dash where no claim names the item. */
function verdictWords(verdicts: JudgedPlace["verdicts"]): string {
  const words = Object.entries(verdicts).filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict.replace("-", " ")}`);
  return words.length === 0 ? "no claim rests on it" : words.join(", ");
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
      const missing = await Deno.stat(api).then(() => false, () => true);
      if (missing || values.only.length === 0) await writeReference(api);
      const { index, count } = await interruptible((signal) => reproduce({ ...values, signal, report: say }));
      print(`${count} ${count === 1 ? "notebook" : "notebooks"} run. Open ${relative(Deno.cwd(), index)}`);
    },
  });
}
