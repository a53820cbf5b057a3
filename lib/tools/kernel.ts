import { join } from "node:path";
import { UserError } from "../core/user_error.ts";
import { progress } from "../notebook/progress.ts";
import { runCommand } from "./command.ts";
import { compareOutputs } from "./notebooks/compare_outputs.ts";
import { findNotebooks, readNotebook } from "./notebooks/notebook_file.ts";
import { notebookName, PROJECT } from "./notebooks/workspace.ts";

const HELP = `
usage: deno task test-full            (one part of it)
       deno run -A lib/tools/kernel.ts [--folder DIR]

Runs every notebook on the real Deno kernel and compares what it shows with the stored outputs.
Needs Debian's jupyter-nbconvert, python3-nbclient and jupyter-client, and deno on PATH.

  --folder DIR  notebooks to run; default notebooks/
  --help        this text
`;

/** Runs notebooks one after the other on the kernel; each is a process, and two would race for ports. */
async function checkOnKernel(folder: string): Promise<void> {
  const paths = await findNotebooks(folder);
  const bar = await progress("Notebooks on the Deno kernel", paths.length);
  const complaints: string[] = [];
  for (const path of paths) {
    complaints.push(...await complaintsAbout(path));
    await bar.advance();
  }
  await bar.finish();
  if (complaints.length > 0) {
    throw new UserError(`the kernel's outputs are not the stored ones\n${complaints.join("\n")}`);
  }
}

async function complaintsAbout(path: string): Promise<string[]> {
  const executed = `${join(PROJECT, "data", "out", ".kernel")}-${Deno.pid}.ipynb`;
  try {
    await execute(path, executed);
    const differences = compareOutputs(await readNotebook(path), await readNotebook(executed));
    return differences.map(({ cell, words }) => `${notebookName(path)}, code cell ${cell}: ${words}`);
  } finally {
    await Deno.remove(executed).catch(() => {});
  }
}

async function execute(path: string, executed: string): Promise<void> {
  const settings = ["record_timing=False", "kernel_name=chaos-lab", "timeout=600"];
  const command = new Deno.Command("jupyter-nbconvert", {
    args: [
      ...["--to", "notebook", "--execute", ...settings.map((setting) => `--ExecutePreprocessor.${setting}`)],
      ...["--output", executed, path],
    ],
    env: { JUPYTER_PATH: join(PROJECT, ".jupyter") },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  });
  const { success, stderr } = await command.output().catch((cause: unknown) => {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    const words =
      "jupyter-nbconvert is not installed: apt-get install jupyter-nbconvert python3-nbclient jupyter-client";
    throw new UserError(words, { cause });
  });
  if (success) return;
  const words = new TextDecoder().decode(stderr).trim().split("\n").slice(-12).join("\n");
  throw new UserError(`${notebookName(path)} fails on the Deno kernel:\n${words}`);
}

if (import.meta.main) {
  await runCommand({
    name: "kernel",
    call: "deno run lib/tools/kernel.ts",
    help: HELP,
    options: { folder: { type: "string", default: join(PROJECT, "notebooks") } },
    run: ({ values }) => checkOnKernel(values.folder),
  });
}
