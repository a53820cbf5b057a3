import { join } from "node:path";
import { mapLimited } from "../core/map_limited.ts";
import { UserError } from "../core/user_error.ts";
import { progress } from "../notebook/progress.ts";
import { readText } from "../runs/files.ts";
import { print, runCommand } from "./command.ts";
import { checkCells, checkStructure, checkStyle } from "./notebooks/check_notebooks.ts";
import { checkFigures } from "./notebooks/check_figures.ts";
import { compareOutputs } from "./notebooks/compare_outputs.ts";
import {
  findNotebooks,
  formatNotebook,
  type ReadNotebook,
  readNotebook,
  runnableCells,
} from "./notebooks/notebook_file.ts";
import { runNotebook } from "./notebooks/run_notebook.ts";
import { makeWorkspace, notebookName, PROJECT } from "./notebooks/workspace.ts";

const HELP = `
usage: deno task test notebooks
       deno run -A lib/tools/check_notebooks.ts [--folder DIR]

Checks every notebook: cells type-check and keep to the rules, prose comes first, links lead somewhere, figures can be
read (alt text, caption, no text over another), and the stored outputs are those of a run from the top.

  --folder DIR  notebooks to check; default notebooks/
  --help        this text
`;

interface CheckOptions {
  readonly folder: string;
  /** Where the joined modules may be written, and what cells may write to. */
  readonly out: string;
}

/**
 * Checks the notebooks of a folder. They are run, while their types are checked, only when nothing else is wrong with them.
 *
 * @returns how many there are.
 * @throws {UserError} with one line a complaint, each naming notebook and cell.
 */
export async function checkNotebooks({ folder, out }: CheckOptions): Promise<number> {
  const notebooks = await Promise.all(
    (await findNotebooks(folder)).map(async (path) => ({ path, notebook: await readNotebook(path) })),
  );
  await using workspace = await makeWorkspace(out);
  const style = await checkStyle(notebooks, workspace);
  const complaints = [
    ...(await Promise.all(notebooks.map(checkStructure))).flat(),
    ...notebooks.flatMap(checkFigures),
    ...(await mapLimited(notebooks, 2, checkFormat)).flat(),
    ...style.complaints,
  ];
  const run = async () => {
    const bar = await progress("Notebooks run and compared", notebooks.length);
    const stale = await mapLimited(notebooks, 2, async (read) => {
      const found = await staleness(read, { workspace, out });
      await bar.advance();
      return found;
    });
    await bar.finish();
    return stale.flat();
  };
  const [types, stale] = await Promise.all([
    // What cannot be parsed has no types.
    style.parsed ? checkCells(notebooks, workspace) : undefined,
    complaints.length === 0 ? run() : [],
  ]);
  complaints.push(...(types === undefined ? [] : [types]), ...stale);
  if (complaints.length > 0) {
    throw new UserError(
      `${complaints.length} ${complaints.length === 1 ? "complaint" : "complaints"}\n${complaints.join("\n")}`,
    );
  }
  return notebooks.length;
}

async function checkFormat({ path }: ReadNotebook): Promise<string[]> {
  const text = await readText(path);
  // A cell that cannot be parsed is named by the rules for cells.
  const formatted = await formatNotebook(text).catch(() => text);
  return formatted === text ? [] : [`${notebookName(path)}: is not formatted; run reproduce --stored`];
}

async function staleness(
  { path, notebook }: ReadNotebook,
  options: Parameters<typeof runNotebook>[2],
): Promise<string[]> {
  if (runnableCells(notebook).length === 0) return [];
  const run = await runNotebook(notebook, path, options);
  if (!run.ok) return [run.issue.message];
  return compareOutputs(notebook, run.value).map(({ cell, words }) =>
    `${notebookName(path)}, code cell ${cell}: stored output is stale, run reproduce --stored: ${words}`
  );
}

if (import.meta.main) {
  await runCommand({
    name: "check-notebooks",
    call: "deno run lib/tools/check_notebooks.ts",
    help: HELP,
    options: { folder: { type: "string", default: join(PROJECT, "notebooks") } },
    async run({ values }) {
      const count = await checkNotebooks({ folder: values.folder, out: join(PROJECT, "data", "out") });
      print(`${count} ${count === 1 ? "notebook" : "notebooks"} checked: no complaints`);
    },
  });
}
