import { posix } from "node:path";
import { UserError } from "@/core/user_error.ts";
import { findNotebooks, readNotebook, runnableCells } from "@/tools/notebooks/notebook_file.ts";
import { importsOf, withoutComments } from "../layers.ts";

/** What a change can touch, found from imports; paths are from the project's folder. */
export interface Touched {
  /** Changed files that are still there. */
  readonly changed: readonly string[];
  readonly tests: readonly string[];
  /** Names of notebooks, such as `deliberation/02_chair`. */
  readonly notebooks: readonly string[];
  /** Why everything has to run; absent where it need not. */
  readonly all?: string;
}

/** A change of these can touch anything. */
const EVERYTHING = /^(?:deno\.(?:json|lock)|tests\/bench\/(?:test_parts|changed)\.ts|tests\/layers\.ts|\.ci\/.*)$/;
const FOLDERS = ["lib", "tests", "scenarios"];

/** Files that differ from where this branch left `base`, or from `base` itself, with those that git does not know yet. */
export async function changedSince(base: string): Promise<string[]> {
  const from = (await git("merge-base", base, "HEAD"))[0]!;
  return [
    ...new Set([...await git("diff", "--name-only", from), ...await git("ls-files", "--others", "--exclude-standard")]),
  ];
}

async function git(...args: string[]): Promise<string[]> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  if (!success) throw new UserError(`git ${args.join(" ")}: ${text(stderr)}`);
  return text(stdout).split("\n").filter((line) => line !== "");
}

/** The tests and notebooks that changes of these files can touch. */
export async function touchedBy(files: readonly string[]): Promise<Touched> {
  const sources = await readSources(), graph = new ModuleGraph(sources), names = new Set(sources.keys());
  const there = await Promise.all(files.map((file) => Deno.stat(file).then(({ isFile }) => isFile, () => false)));
  const changed = files.filter((_, i) => there[i]);
  const wide = files.find((file) => EVERYTHING.test(file)) ??
    files.find((file, i) => !there[i] && file.endsWith(".ts") && !file.endsWith("_test.ts"));
  const roots = files.flatMap((file) => names.has(file) ? file : graph.naming(file));
  const reached = graph.dependents(roots);
  const tests = [...reached].filter((file) => file.endsWith("_test.ts")).sort();
  const ofNotebooks = changed.filter((file) => file.endsWith(".ipynb")).map(nameOf);
  const exported = changed.filter((file) => file.startsWith("lib/")).flatMap((file) =>
    exportsOf(sources.get(file) ?? "")
  );
  const notebooks = [...new Set([...ofNotebooks, ...await notebooksThatName(exported)])].sort();
  return { changed, tests, notebooks, ...(wide !== undefined && { all: `${wide} changed` }) };
}

const nameOf = (path: string): string => path.replace(/^.*notebooks\//, "").replace(/\.ipynb$/, "");

/** Notebooks of which a cell names one of these. */
async function notebooksThatName(names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const named = new RegExp(String.raw`\b(?:${names.join("|")})\b`), found: string[] = [];
  for (const path of await findNotebooks(posix.resolve("notebooks"))) {
    const cells = runnableCells(await readNotebook(path));
    if (cells.some(({ source }) => named.test(source))) found.push(nameOf(path));
  }
  return found;
}

async function readSources(): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  const walk = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      const path = `${folder}/${name}`;
      if (isDirectory) await walk(path);
      else if (name.endsWith(".ts")) sources.set(path, withoutComments(await Deno.readTextFile(path)));
    }
  };
  for (const folder of FOLDERS) await walk(folder);
  return sources;
}

const NAMED = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*["']([^"']+)["']/g;
const EXPORTED = /^export\s+(?:async\s+)?(?:function\*?|const|class|interface|type)\s+(\w+)/gm;
/** A test that starts a command as a process of its own depends on it. */
const STARTED = /\b(?:outcome|command)\(\s*"([\w-]+)"/g;

const exportsOf = (source: string): string[] => [...source.matchAll(EXPORTED)].map(([, name]) => name!);
const isRoom = (file: string): boolean => /^lib\/(?:\w+\/)?mod\.ts$/.test(file);

/** Imports among the project's modules; a name from a room's `mod.ts` leads to the file that defines it. */
class ModuleGraph {
  readonly #sources: ReadonlyMap<string, string>;
  readonly #importers = new Map<string, Set<string>>();

  constructor(sources: ReadonlyMap<string, string>) {
    this.#sources = sources;
    for (const [file, source] of sources) {
      if (isRoom(file)) continue;
      for (const target of this.#targets(file, source)) {
        this.#importers.getOrInsertComputed(target, () => new Set()).add(file);
      }
    }
  }

  /** These files and all that import them, directly or over others. */
  dependents(files: readonly string[]): ReadonlySet<string> {
    const found = new Set(files), left = [...files];
    while (left.length > 0) {
      for (const importer of this.#importers.get(left.pop()!) ?? []) {
        if (!found.has(importer)) left.push(importer);
        found.add(importer);
      }
    }
    return found;
  }

  /** Modules that name a file which is no module: by its path, or by its name without the ending. */
  naming(file: string): string[] {
    if (!/^(?:lib|scenarios|data|tests)\//.test(file)) return [];
    const name = posix.basename(file).replace(/\.\w+$/, "");
    return [...this.#sources].filter(([, source]) => source.includes(name)).map(([path]) => path);
  }

  *#targets(file: string, source: string): Generator<string> {
    const named = new Map([...source.matchAll(NAMED)].map(([, names, from]) => [from!, namesIn(names!)]));
    for (const target of importsOf(source)) {
      const path = pathOf(file, target);
      if (path === undefined) continue;
      if (isRoom(path)) yield* this.#definers(path, named.get(target));
      else yield path;
    }
    for (const [, name] of source.matchAll(STARTED)) yield `lib/tools/${name!.replaceAll("-", "_")}.ts`;
  }

  /** The files that define these names of a room; all of the room's where the names are not known. */
  *#definers(room: string, names: readonly string[] | undefined): Generator<string> {
    const source = this.#sources.get(room) ?? "";
    for (const [, exported, from] of source.matchAll(NAMED)) {
      const own = namesIn(exported!), path = pathOf(room, from!);
      const wanted = names === undefined ? own : own.filter((name) => names.includes(name));
      if (path === undefined || wanted.length === 0) continue;
      if (isRoom(path)) yield* this.#definers(path, wanted);
      else yield path;
    }
  }
}

const namesIn = (list: string): string[] =>
  list.split(",").map((name) => name.replace(/^\s*type\s+/, "").split(/\sas\s/).at(0)!.trim()).filter((name) =>
    name !== ""
  );

/** The path of an import from the project's folder; undefined of a package. */
function pathOf(file: string, target: string): string | undefined {
  if (target.startsWith("@/")) return `lib/${target.slice(2)}`;
  return target.startsWith(".") ? posix.join(posix.dirname(file), target) : undefined;
}
