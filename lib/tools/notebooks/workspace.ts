import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readText, writeAtomically } from "../../record/files.ts";

/** The project's folder: the one with `deno.json`. */
export const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));

/** A temporary folder for the modules made of notebooks. */
export interface Workspace extends AsyncDisposable {
  readonly folder: string;
  /** Configuration for `deno check` and `deno lint` of the files in the folder. */
  readonly config: string;
  /** The path of a notebook's file with this ending; notebooks of one name in two folders have different ones. */
  path(notebook: string, ending: string): string;
}

/**
 * Makes a workspace inside `parent`.
 *
 * The project's configuration excludes `data/out/` from every check, so the workspace has its own copy, with absolute
 * paths and the lint rules for cells. It has a copy of the lock file too, which Deno extends for a configuration
 * outside the project.
 *
 * @throws {UserError} when the folder cannot be written to.
 */
export async function makeWorkspace(parent: string): Promise<Workspace> {
  const folder = join(parent, `.cells-${Deno.pid}`);
  const config = join(folder, "deno.json");
  await writeAtomically(config, await cellConfig());
  await writeAtomically(join(folder, "deno.lock"), await readText(join(PROJECT, "deno.lock")));
  return {
    folder,
    config,
    path: (notebook, ending) => join(folder, `${notebook.replace(/\.ipynb$/, "").replace(/[^\w.-]+/g, "__")}${ending}`),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }).catch(() => {}),
  };
}

async function cellConfig(): Promise<string> {
  const root = JSON.parse(await readText(join(PROJECT, "deno.json"))) as {
    compilerOptions?: unknown;
    imports?: Record<string, string>;
  };
  const absolute = (path: string) => path.startsWith(".") ? new URL(path, pathToFileURL(PROJECT)).href : path;
  const imports = Object.entries(root.imports ?? {}).map(([name, target]) => [name, absolute(target)]);
  const config = {
    compilerOptions: root.compilerOptions,
    imports: Object.fromEntries(imports),
    lock: { path: "./deno.lock", frozen: false },
    lint: { plugins: [new URL("./lint_cells.ts", import.meta.url).href], rules: { tags: [] } },
  };
  return JSON.stringify(config, null, 2);
}

/**
 * Runs a program to its end, in the project's folder unless `cwd` names another.
 *
 * @param options as of `Deno.Command`; `input` is given on standard input.
 * @returns its output on each stream, and whether it succeeded.
 * @throws the signal's reason when it is aborted already.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { input, ...options }: Deno.CommandOptions & { readonly input?: string } = {},
): Promise<{ success: boolean; out: string; err: string }> {
  options.signal?.throwIfAborted(); // `spawn` does not look at a signal that was aborted before.
  const child = new Deno.Command(program, {
    ...{ args: [...args], cwd: PROJECT, stdin: input === undefined ? "null" : "piped" },
    ...{ stdout: "piped", stderr: "piped", ...options, env: { NO_COLOR: "1", ...options.env } },
  }).spawn();
  // A program that stops early closes its input; its exit code then says more than the broken pipe.
  const written = input === undefined ? undefined : new Response(input).body!.pipeTo(child.stdin).catch(() => {});
  const [{ success, stdout, stderr }] = await Promise.all([child.output(), written]);
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { success, out: out!, err: err! };
}

/** The name of a notebook as messages give it: its path from the project, with `/`. */
export function notebookName(path: string): string {
  const name = path.startsWith(PROJECT) ? path.slice(PROJECT.length) : basename(path);
  return name.replaceAll("\\", "/");
}
