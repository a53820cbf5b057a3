import { posix } from "node:path";

/** The layers of `lib/` and the rules of its imports, as data and as a check of one file. */

const ENGINE = ["core", "schema", "model", "quality", "record", "deliberation", "station"];
const LIVE = [...ENGINE, "lab/live"];
const RUNS = [...LIVE, "lab/sweep", "stats", "lab/runs"];
const SHOWN = [...RUNS, "lab/plots", "lab/explorer"];

/** What each room of `lib/` may import besides itself: those of the library, and around them those of the lab. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  schema: ["core"],
  stats: ["core"],
  model: ["core", "schema"],
  quality: ["core", "schema"],
  record: ["core", "schema", "model"],
  deliberation: ["core", "schema", "model", "record"],
  station: ["core", "schema", "model", "quality", "record"],
  "lab/live": ENGINE,
  "lab/sweep": LIVE,
  "lab/runs": [...LIVE, "lab/sweep", "stats"],
  "lab/plots": ["core", "schema", "stats", "quality"],
  "lab/explorer": ["core", "schema", "stats", "quality", "model", "record", "deliberation", "lab/plots"],
  "lab/notebook": SHOWN,
  "lab/paper": [...SHOWN, "lab/notebook"],
  "mod.ts": RUNS,
  "lab/tools": [...SHOWN, "lab/notebook", "lab/paper", "mod.ts"],
};

/** Packages that only some folders may import: what is slow to load or reaches out stays behind one door. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  danfojs: ["lab/notebook"],
  openai: ["model"],
  pg: ["lab/sweep"],
  "pg-boss": ["lab/sweep"],
  "gpt-tokenizer/": ["model"],
  "@observablehq/inputs": ["lab/explorer"],
  "@observablehq/plot": ["lab/plots", "lab/explorer", "lab/notebook"],
  "@resvg/resvg-js": ["lab/notebook"],
  "playwright-core": [],
  "fast-check": [],
};

const COMMENT = /^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const IMPORT = /^(?:import|export)\s(?:[^"'`;]*?\sfrom\s)?\s*["']([^"']+)["']|\bimport\(\s*["'`]([^"'`]+)["'`]/gm;

/** A module without its comments: examples in them are not its imports. */
export const withoutComments = (source: string): string => source.replace(COMMENT, "");

/** What a module imports, statically or not. */
export function importsOf(source: string): string[] {
  return [...withoutComments(source).matchAll(IMPORT)].map(([, fixed, dynamic]) => fixed ?? dynamic!);
}

/**
 * The rules that a file of `lib/` breaks, one sentence each.
 *
 * @param file its path from `lib/`, such as `stats/divergence.ts`.
 * @param packages the names in the import map of `deno.json`.
 */
export function brokenRules(file: string, source: string, packages: readonly string[]): string[] {
  const layer = layerOf(file);
  const allowed = LAYERS[layer];
  if (allowed === undefined) return [`${file} is in no known layer: lib/ has ${Object.keys(LAYERS).join(", ")}`];
  const broken = importsOf(source).flatMap((target) =>
    target.startsWith(".") ? brokenByPath(file, target, allowed) : brokenByPackage(layer, target, packages)
  );
  return broken.map((words) => `${file} ${words}`);
}

const layerOf = (file: string): string => /^(?:lab\/)?[^/]+/.exec(file)![0];

function brokenByPath(file: string, target: string, allowed: readonly string[]): string[] {
  const path = posix.join(posix.dirname(file), target);
  // Data that stands outside lib/, such as the version in deno.json.
  if (path.startsWith("../")) return path.endsWith(".json") ? [] : [`imports ${path}, code outside lib/`];
  const layer = layerOf(path);
  return layer === layerOf(file) || allowed.includes(layer) ? [] : [`imports upward: ${path}`];
}

function brokenByPackage(layer: string, target: string, packages: readonly string[]): string[] {
  if (target.startsWith("@/")) return [`imports ${target}: imports inside lib/ are relative`];
  if (target.startsWith("node:")) return [];
  const name = packages.find((name) => name === target || target.startsWith(name.endsWith("/") ? name : `${name}/`));
  if (name === undefined) return [`imports ${target}, which deno.json does not name`];
  const keepers = KEPT[name];
  if (keepers === undefined || keepers.includes(layer)) return [];
  return [`imports ${name}, which is for ${keepers.join(", ") || "tests"} alone`];
}
