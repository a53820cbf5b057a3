import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder: the one with `deno.json`. */
export const PROJECT = fileURLToPath(new URL("../../../../", import.meta.url));

/** A temporary folder for the modules made of notebooks. */
export interface Workspace extends AsyncDisposable {
  readonly folder: string;
  /** The path of a notebook's file with this ending; notebooks of one name in two folders have different ones. */
  path(notebook: string, ending: string): string;
}

/** A workspace inside `parent`; its folder is made with its first file. */
export function makeWorkspace(parent: string): Workspace {
  const folder = join(parent, `.cells-${Deno.pid}`);
  return {
    folder,
    path: (notebook, ending) => join(folder, `${notebook.replace(/\.ipynb$/, "").replace(/[^\w.-]+/g, "__")}${ending}`),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }).catch(() => {}),
  };
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
