import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { missing, readText, writeAtomically } from "@/record/files.ts";
import { type Notebook, runnableCells } from "@/lab/tools/notebooks/notebook_file.ts";
import { PROJECT } from "@/lab/tools/notebooks/workspace.ts";
import { ModuleGraph, readSources } from "../module_graph.ts";

/** What checks, runs and compares notebooks. */
const CHECK = `import "./check_notebooks.ts";`;

/**
 * For each notebook a hash of what its outputs depend on: itself with the stored outputs, the modules that its cells
 * import, directly or over others, those that check and run it, data and scenarios, packages, and Deno. Comments in
 * modules and the processor are left out.
 *
 * @param sources the project's modules, by path; by default as they stand.
 */
export async function outputKeys(
  notebooks: readonly { readonly path: string; readonly notebook: Notebook }[],
  sources?: ReadonlyMap<string, string>,
): Promise<string[]> {
  sources ??= await readSources();
  const graph = new ModuleGraph(sources);
  const shared = hashOf([Deno.version.deno, ...await Promise.all((await dataFiles()).map(contentOf))]);
  const checks = [...graph.dependencies("tests/gate/notebooks/compared.ts", CHECK)];
  return await Promise.all(notebooks.map(async ({ path, notebook }) => {
    const code = runnableCells(notebook).map(({ source }) => source).join("\n");
    const modules = new Set([...checks, ...graph.dependencies(relative(PROJECT, path), code)]);
    const texts = [...modules].sort().map((file) => `${file}\n${sources.get(file) ?? ""}`);
    return hashOf([shared, await readText(path), ...texts]);
  }));
}

const hashOf = (texts: readonly string[]): string =>
  texts.reduce((hash, text) => hash.update(text).update("\0"), createHash("sha256")).digest("hex");

async function contentOf(file: string): Promise<string> {
  return `${file}\n${createHash("sha256").update(await Deno.readFile(join(PROJECT, file))).digest("hex")}`;
}

/** What modules and cells may read, besides modules. */
async function dataFiles(): Promise<string[]> {
  const files = ["deno.json", "deno.lock"];
  const walk = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(join(PROJECT, folder))) {
      const path = `${folder}/${name}`;
      if (!isDirectory) { if (!name.endsWith(".ts")) files.push(path); }
      else if (path !== "data/out" && path !== "data/live") await walk(path);
    }
  };
  for (const folder of ["data", "lib", "scenarios"]) await walk(folder);
  return files.sort();
}

/** Hashes of notebooks whose outputs were those of a run, by name. */
export type Compared = Record<string, string>;

/** Committed, so that a fresh clone knows them; and those of this folder's own runs. */
const FILES = { committed: "tests/gate/notebooks/compared.json", own: "data/out/compared.json" };

export async function readCompared(which: keyof typeof FILES): Promise<Compared> {
  const file = join(PROJECT, FILES[which]);
  return await missing(file) ? {} : JSON.parse(await readText(file));
}

export async function writeCompared(which: keyof typeof FILES, compared: Compared): Promise<void> {
  const sorted = Object.entries(compared).sort(([a], [b]) => a < b ? -1 : 1);
  await writeAtomically(join(PROJECT, FILES[which]), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
