import { sum } from "d3-array";
import { codeLines } from "./lines/code_lines.ts";
import { ModuleGraph } from "./module_graph.ts";

/** The source of modules, by path from the project's folder. */
type Sources = ReadonlyMap<string, string>;

const TYPES = /^(?:import|export)\s+type\b[^"';]*?\sfrom\s*["'][^"']+["'].*$/gm;
const LIST = /^((?:import|export)\s+)\{([^}]*)\}(\s*from\s*["'][^"']+["'].*)$/gm;

/** A module without the imports and exports of types, which load nothing. */
export function withoutTypes(source: string): string {
  return source.replace(TYPES, "").replace(LIST, (_, keyword: string, list: string, from: string) => {
    const names = list.split(",").filter((name) => name.trim() !== "" && !/^\s*type\s/.test(name));
    return names.length === 0 ? "" : `${keyword}{ ${names.map((name) => name.trim()).join(", ")} }${from}`;
  });
}

/**
 * Counts what importing a name loads of `lib/`: the files that its module reaches by static and dynamic imports, each of
 * them whole. A name of a `mod.ts` counts as the file that defines it.
 *
 * @returns the files of `lib/` that a module with this code reaches.
 */
export function reaching(sources: Sources): (code: string) => string[] {
  const graph = new ModuleGraph(new Map([...sources].map(([file, source]) => [file, withoutTypes(source)])));
  return (code) =>
    [...graph.reach("tests/gate/asked.ts", withoutTypes(code))].filter((file) => /^lib\/.*\.ts$/.test(file));
}

/** Code lines of some files together. */
export const linesOf = (files: readonly string[], sources: Sources): number =>
  sum(files, (file) => codeLines(sources.get(file) ?? ""));

/** Why a row is above its budget, with the files that weigh most; undefined if it is not. */
export function overBudget(
  row: string,
  budget: number,
  files: readonly string[],
  sources: Sources,
): string | undefined {
  const lines = linesOf(files, sources);
  if (lines <= budget) return undefined;
  const weights = files.map((file) => ({ file, own: linesOf([file], sources) })).sort((a, b) => b.own - a.own);
  const largest = weights.slice(0, 15).map(({ file, own }) => `\n  ${String(own).padStart(5)} ${file}`).join("");
  const above = `${lines - budget} above its budget of ${budget}`;
  return `${row}: ${lines} lines, ${above}; of ${files.length} files the largest:${largest}`;
}
