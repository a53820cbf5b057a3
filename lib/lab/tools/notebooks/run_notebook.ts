import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, ok, type Result } from "../../../core/result.ts";
import { writeAtomically } from "../../../record/files.ts";
import { explainFailure, type NotebookIssue } from "./explain_failure.ts";
import { collectOutputs, type Frame, readFrames } from "./capture.ts";
import { joinCells, type JoinedCells } from "./join_cells.ts";
import { canonical, type Notebook, type Output, runnableCells } from "./notebook_file.ts";
import { notebookName, PROJECT, runProgram, type Workspace } from "./workspace.ts";

export interface RunOptions {
  readonly workspace: Workspace;
  /** Folder that cells may write to, besides `data/out/` of the project. */
  readonly out: string;
  readonly signal?: AbortSignal | undefined;
  /** Gets each line that cells wrote to standard error, such as which runs were repeated and why. */
  readonly onNotice?: ((line: string) => void) | undefined;
}

const CAPTURE = new URL("./capture.ts", import.meta.url).href;
const HARNESS = new URL("./harness.ts", import.meta.url).href;

/** The cells of a notebook as the module that is run and checked. */
export const joinNotebook = (notebook: Notebook): JoinedCells =>
  joinCells(runnableCells(notebook).map(({ source }) => source), CAPTURE);

/**
 * Runs a notebook without a kernel: its cells run as one module, in a separate process, in the notebook's folder.
 *
 * Cells may read files, write to the output folder and reach ports of this machine; they may start no program.
 *
 * @param path the notebook's absolute path.
 * @returns the notebook with new outputs and execution counts, as the kernel would have stored them.
 * @throws the signal's reason when it was aborted.
 */
export async function runNotebook(
  notebook: Notebook,
  path: string,
  { workspace, out, signal, onNotice }: RunOptions,
): Promise<Result<Notebook, NotebookIssue>> {
  const name = notebookName(path);
  const module = workspace.path(name, ".run.ts");
  const joined = joinNotebook(notebook);
  await writeAtomically(module, joined.code);
  const mark = crypto.randomUUID();
  const { frames, errors } = await runModule(module, mark, { cwd: dirname(path), out, signal });
  signal?.throwIfAborted();
  if (frames.at(-1)?.kind === "done") {
    for (const line of errors.split("\n")) if (line.trim() !== "") onNotice?.(line);
    return ok(fill(notebook, collectOutputs(frames)));
  }
  return fail(explainFailure(frames, errors, { name, joined, module: pathToFileURL(module).href }));
}

async function runModule(
  module: string,
  mark: string,
  { cwd, out, signal }: { cwd: string; out: string; signal: AbortSignal | undefined },
): Promise<{ frames: Frame[]; errors: string }> {
  const permissions = [
    ...["--no-prompt", "--allow-net=127.0.0.1", "--allow-read", "--allow-env", "--allow-sys", "--allow-ffi"],
    `--allow-write=${[join(PROJECT, "data", "out"), out].join(",")}`,
  ];
  const args = ["run", "--quiet", "--no-check", "--config", join(PROJECT, "deno.json"), ...permissions];
  const { out: output, err } = await runProgram("deno", [...args, HARNESS, pathToFileURL(module).href, mark], {
    cwd,
    ...(signal && { signal }),
  });
  return { frames: readFrames(output, mark), errors: err };
}

function fill(notebook: Notebook, outputs: ReadonlyMap<number, Output[]>): Notebook {
  let count = 0;
  const cells = notebook.cells.map((cell) => {
    if (cell.cell_type !== "code") return cell;
    if (cell.source.trim() === "") return { ...cell, execution_count: null, outputs: [] };
    count++;
    return { ...cell, execution_count: count, outputs: outputs.get(count) ?? [] };
  });
  return canonical({ ...notebook, cells });
}
