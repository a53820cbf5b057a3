import { dirname, join, relative } from "node:path";
import { ok, type Result } from "../../core/result.ts";
import { writeAtomically } from "../../runs/files.ts";
import { rebaseLink, urlTo } from "../pages/links.ts";
import { notebookPage } from "../pages/pages.ts";
import { referenceFolder } from "../pages/reference.ts";
import type { NotebookIssue } from "./explain_failure.ts";
import { type Notebook, notebookText, readNotebook } from "./notebook_file.ts";
import { runNotebook, type RunOptions } from "./run_notebook.ts";

interface ReproduceOptions extends RunOptions {
  /** The folder of all notebooks; a notebook's place in it is its place in the output. */
  readonly folder: string;
  /** The notebooks before and after, where there are any. */
  readonly previous?: { readonly title: string; readonly path: string } | undefined;
  readonly next?: { readonly title: string; readonly path: string } | undefined;
}

/** Where the outputs of a notebook go. */
export function outputPaths(
  path: string,
  { folder, out }: { folder: string; out: string },
): { page: string; executed: string } {
  const name = relative(folder, path);
  return { page: join(out, "html", name.replace(/\.(ipynb|md)$/, ".html")), executed: join(out, "notebooks", name) };
}

/**
 * Runs one notebook and writes the executed notebook and its page.
 *
 * @returns the executed notebook; on a failing cell nothing is written.
 * @throws {UserError} when the output cannot be written.
 */
export async function reproduceNotebook(
  path: string,
  options: ReproduceOptions,
): Promise<Result<Notebook, NotebookIssue>> {
  const run = await runNotebook(await readNotebook(path), path, options);
  if (!run.ok) return run;
  const { page, executed } = outputPaths(path, options);
  const to = dirname(page);
  const neighbour = (other: ReproduceOptions["next"]) =>
    other && { title: other.title, href: urlTo(to, outputPaths(other.path, options).page) };
  const html = notebookPage(run.value, {
    rebase: (href) => rebaseLink(href, { root: options.folder, from: dirname(path), to }),
    index: urlTo(to, join(options.out, "html", "index.html")),
    reference: urlTo(to, join(referenceFolder(options.out), "index.html")),
    source: urlTo(to, executed),
    previous: neighbour(options.previous),
    next: neighbour(options.next),
  });
  await writeAtomically(executed, notebookText(run.value));
  await writeAtomically(page, html);
  return ok(run.value);
}
