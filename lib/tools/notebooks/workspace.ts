import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readText, writeAtomically } from "../../runs/files.ts";

/** The project's folder: the one with `deno.json`. */
export const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));

/** A folder for the modules that notebooks are joined to, gone when its work is done. */
export interface Workspace extends AsyncDisposable {
  readonly folder: string;
  /** Configuration for `deno check` and `deno lint` of what stands in the folder. */
  readonly config: string;
  /** Where a notebook's file of this ending belongs; notebooks of one name in two folders do not meet. */
  path(notebook: string, ending: string): string;
}

/**
 * Makes a workspace inside `parent`.
 *
 * The project's configuration leaves `data/out/` out of every check, so the workspace has its own copy, with the paths
 * made absolute and this folder's lint rules in place of the project's. It has a copy of the lock file too, which Deno
 * wants to extend for a configuration outside the project.
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

/** The name of a notebook as messages give it: its path from the project, with `/`. */
export function notebookName(path: string): string {
  const name = path.startsWith(PROJECT) ? path.slice(PROJECT.length) : basename(path);
  return name.replaceAll("\\", "/");
}
