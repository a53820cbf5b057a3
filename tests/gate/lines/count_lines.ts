import { join, relative, sep } from "node:path";
import { group, max, sum } from "d3-array";
import { findFiles, readNotebook, runnableCells } from "@/lab/tools/notebooks/notebook_file.ts";
import { importsOf } from "../../layers.ts";
import { codeLines } from "./code_lines.ts";

/** A file's room: `stats`, or of the lab `lab/runs`; undefined for `mod.ts`. */
const roomOf = (path: string): string | undefined => /^(?:lab\/)?[^/]+(?=\/)/.exec(path)?.[0];

/** A source file of `lib/`: its path from there, with `/`, and its text. */
interface Source {
  readonly path: string;
  readonly text: string;
}

/** What is counted of a room, of several, or of all. */
export interface RoomCount {
  readonly lines: number;
  readonly files: number;
  /** Files on the longest chain of imports inside the room. */
  readonly floors?: number;
}

/** What {@linkcode countLines} finds, by the names that the printed tables use. */
export interface Counts {
  readonly rooms: Readonly<Record<string, RoomCount>>;
  readonly others: Readonly<Record<string, number>>;
}

/**
 * Counts code, names, cells and tests of the project's tree at `root`, so that anybody can check how large it is.
 *
 * A code line is neither blank nor comment.
 */
export async function countLines(root: string): Promise<Counts> {
  const lib = await sources(join(root, "lib"));
  const rooms = [...group(lib.filter(({ path }) => roomOf(path)), ({ path }) => roomOf(path)!)].sort();
  const bytes = async (name: string) => (await Deno.stat(join(root, name))).size;
  const size = (files: readonly Source[]) => ({
    lines: sum(files, ({ text }) => codeLines(text)),
    files: files.length,
  });
  return {
    rooms: {
      ...Object.fromEntries(rooms.map(([room, files]) => [room, { ...size(files), floors: floors(files) }])),
      library: size(lib.filter(({ path }) => !path.startsWith("lab/"))),
      lib: size(lib),
    },
    others: {
      ...await exportedNames(root, rooms.map(([room]) => room)),
      ...await cellCounts(root),
      "README.md, bytes": await bytes("README.md"),
      "CHANGELOG.md, bytes": await bytes("CHANGELOG.md"),
      "test files that mirror no file of lib/": await unmirrored(root, lib),
    },
  };
}

async function sources(folder: string): Promise<Source[]> {
  const paths = await findFiles(folder, ".ts");
  return await Promise.all(paths.map(async (path) => ({
    path: relative(folder, path).replaceAll(sep, "/"),
    text: await Deno.readTextFile(path),
  })));
}

function floors(files: readonly Source[]): number {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const known = new Map<string, number>();
  const floorOf = (path: string): number => {
    if (known.has(path)) return known.get(path)!;
    known.set(path, 0); // ends a circle
    const inside = importsOf(texts.get(path)!).filter((target) => target.startsWith("."))
      .map((target) => new URL(target, `file:///${path}`).pathname.slice(1)).filter((target) => texts.has(target));
    const floor = 1 + (max(inside, floorOf) ?? 0);
    known.set(path, floor);
    return floor;
  };
  return max(texts.keys(), (path) => path.endsWith("/mod.ts") ? 0 : floorOf(path)) ?? 0;
}

/** Names exported by all rooms together, each counted once, and by `lib/mod.ts`. */
async function exportedNames(root: string, rooms: readonly string[]): Promise<Record<string, number>> {
  const modules = ["lib/mod.ts", ...rooms.map((room) => `lib/${room}/mod.ts`)];
  const { nodes } = JSON.parse(await deno(root, ["doc", "--json", ...modules])) as {
    nodes: Record<string, { symbols: { name: string }[] }>;
  };
  const namesOf = (keep: (module: string) => boolean) =>
    new Set(
      Object.entries(nodes).flatMap(([url, { symbols }]) => keep(url) ? symbols.map(({ name }) => name) : []),
    ).size;
  const isTop = (url: string) => url.endsWith("/lib/mod.ts");
  return {
    "names exported by all rooms": namesOf((url) => !isTop(url)),
    "names exported by lib/mod.ts": namesOf(isTop),
  };
}

async function cellCounts(root: string): Promise<Record<string, number>> {
  const paths = await findFiles(join(root, "notebooks"), ".ipynb");
  const cells = (await Promise.all(
    paths.map(async (path, n) =>
      runnableCells(await readNotebook(path)).map(({ source }, i) => ({ name: `${n}-${i}.ts`, notebook: n, source }))
    ),
  )).flat();
  const facts = await cellFacts(cells);
  const helpers = group(facts.filter(({ code }) => code === "facts/helper"), ({ message }) => message);
  return {
    "code lines of notebook cells": sum(cells, ({ source }) => codeLines(source)),
    "non-null ! in cells": facts.filter(({ code }) => code === "facts/non-null").length,
    "asPublished in cells": sum(cells, ({ source }) => source.match(/\basPublished\b/g)?.length ?? 0),
    "helpers of one name in several notebooks":
      [...helpers.values()].filter((found) => new Set(found.map(({ notebook }) => notebook)).size > 1).length,
  };
}

interface Cell {
  readonly name: string;
  readonly notebook: number;
  readonly source: string;
}

/** What `cell_facts.ts` finds in cells, with the notebook of each find. */
async function cellFacts(cells: readonly Cell[]): Promise<{ code: string; message: string; notebook: number }[]> {
  const folder = await Deno.makeTempDir();
  try {
    const plugins = [new URL("./cell_facts.ts", import.meta.url).href];
    await Deno.writeTextFile(join(folder, "deno.json"), JSON.stringify({ lint: { plugins, rules: { tags: [] } } }));
    for (const { name, source } of cells) await Deno.writeTextFile(join(folder, name), source);
    const { diagnostics } = JSON.parse(await deno(folder, ["lint", "--json", "."])) as {
      diagnostics: { filename: string; code: string; message: string }[];
    };
    return diagnostics.map(({ filename, code, message }) => ({
      ...{ code, message },
      notebook: Number(/(\d+)-\d+\.ts$/.exec(filename)![1]),
    }));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Standard output of a `deno` command; complaints of `deno lint` are what it was asked for. */
async function deno(cwd: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await new Deno.Command("deno", { args: [...args], cwd, stdin: "null" }).output();
  const text = new TextDecoder().decode(stdout);
  if (!text.startsWith("{")) throw new Error(`deno ${args[0]} gave no report:\n${new TextDecoder().decode(stderr)}`);
  return text;
}

/** Tests of `tests/gate/`, `tests/makers/` and `tests/bench/` stand beside their files. */
async function unmirrored(root: string, lib: readonly Source[]): Promise<number> {
  const known = new Set(lib.map(({ path }) => path.replace(/\.ts$/, "_test.ts")));
  const tests = (await sources(join(root, "tests"))).map(({ path }) => path);
  return tests.filter((path) => path.endsWith("_test.ts") && !/^(?:bench|gate|makers)\//.test(path) && !known.has(path))
    .length;
}
