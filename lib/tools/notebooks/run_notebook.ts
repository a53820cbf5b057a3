import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, ok, type Result } from "../../core/result.ts";
import { writeAtomically } from "../../runs/files.ts";
import { collectOutputs } from "./compare_outputs.ts";
import { explainFailure, type NotebookIssue } from "./explain_failure.ts";
import { type Frame, readFrames } from "./frame.ts";
import { joinCells } from "./join_cells.ts";
import { canonical, type Notebook, type Output, runnableCells } from "./notebook_file.ts";
import { notebookName, PROJECT, type Workspace } from "./workspace.ts";

export interface RunOptions {
  readonly workspace: Workspace;
  /** Folder that cells may write to, besides `data/out/` of the project. */
  readonly out: string;
  readonly signal?: AbortSignal | undefined;
  /** Told each line that cells wrote on standard error, such as which runs were made again and why. */
  readonly onNotice?: ((line: string) => void) | undefined;
}

export const CAPTURE = new URL("./capture.ts", import.meta.url).href;
const HARNESS = new URL("./harness.ts", import.meta.url).href;

/**
 * Runs a notebook without a kernel: its cells as one module, in a process of their own, in the notebook's folder.
 *
 * Cells may read, and write to the output folder; they reach this machine's own ports alone and start no program.
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
  const joined = joinCells(runnableCells(notebook).map(({ source }) => source), CAPTURE);
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
  const child = new Deno.Command("deno", {
    args: [
      ...["run", "--quiet", "--no-check", "--config", join(PROJECT, "deno.json")],
      ...[...permissions, HARNESS, pathToFileURL(module).href, mark],
    ],
    cwd,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    ...(signal === undefined ? {} : { signal }),
  });
  const { stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { frames: readFrames(decoder.decode(stdout), mark), errors: decoder.decode(stderr) };
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
