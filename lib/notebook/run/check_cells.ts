import { pathToFileURL } from "node:url";
import { writeAtomically } from "../write_atomically.ts";
import { joinCells } from "./join_cells.ts";
import { type ReadNotebook, runnableCells } from "./notebook_file.ts";
import { namePlaces } from "./place_of.ts";
import { CAPTURE } from "./run_notebook.ts";
import { notebookName, type Workspace } from "./workspace.ts";

/**
 * Type-checks the cells of every notebook, each notebook as the one module that its cells are together.
 *
 * @returns the checker's words, with notebook, cell and line in the place of files; undefined when all is well.
 */
export async function checkCells(
  notebooks: readonly ReadNotebook[],
  workspace: Workspace,
): Promise<string | undefined> {
  const modules = notebooks.map(({ path, notebook }) => {
    const name = notebookName(path);
    const joined = joinCells(runnableCells(notebook).map(({ source }) => source), CAPTURE);
    return { name, joined, file: workspace.path(name, ".check.ts") };
  });
  for (const { file, joined } of modules) await writeAtomically(file, joined.code);
  const { success, stderr } = await new Deno.Command("deno", {
    args: ["check", "--quiet", "--config", workspace.config, ...modules.map(({ file }) => file)],
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (success) return undefined;
  let words = new TextDecoder().decode(stderr).replace(/\n+error: Type checking failed\.[^]*$/, "").trim();
  for (const { name, joined, file } of modules) words = namePlaces(words, pathToFileURL(file).href, joined, name);
  return words;
}
