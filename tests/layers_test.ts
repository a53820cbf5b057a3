import assert from "node:assert/strict";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { findNotebooks, readNotebook, runnableCells } from "@/lab/tools/notebooks/notebook_file.ts";
import { brokenRules, importsOf, LAYERS } from "./layers.ts";

const ROOT = new URL("../", import.meta.url);
const { imports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
const packages = Object.keys(imports).filter((name) => name !== "@/");

/** Files under a folder of the project with one of these endings, by their path from it. */
async function filesIn(folder: string, ...endings: string[]): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const walk = async (at: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(new URL(`${folder}/${at}`, ROOT))) {
      const path = `${at}${name}`;
      if (isDirectory) await walk(`${path}/`);
      else if (endings.some((ending) => name.endsWith(ending))) {
        files.set(path, await Deno.readTextFile(new URL(`${folder}/${path}`, ROOT)));
      }
    }
  };
  await walk("");
  return files;
}

const lib = await filesIn("lib", ".ts");

Deno.test("no file of lib/ imports upward, a package kept for others, or one that deno.json does not name", () => {
  assert.ok(lib.size > 80, `only ${lib.size} files found`);
  assert.deepEqual([...lib].flatMap(([file, source]) => brokenRules(file, source, packages)), []);
});

Deno.test("the layers make an order: no two import each other, and each lower one is known", () => {
  for (const [layer, lower] of Object.entries(LAYERS)) {
    for (const below of lower) {
      assert.ok(LAYERS[below], below);
      assert.ok(!LAYERS[below]!.includes(layer), `${layer} and ${below} import each other`);
    }
  }
});

const made: Record<string, readonly [file: string, source: string, broken: readonly string[]]> = {
  "an upward import": [
    "stats/slope.ts",
    'import { divergence } from "./divergence.ts";\nimport type {\n  Condition,\n} from "../schema/condition.ts";\n',
    ["stats/slope.ts imports upward: schema/condition.ts"],
  ],
  "an import on the way down": ["model/a/b.ts", 'import { ok } from "../../core/result.ts";\n', []],
  "an upward export": [
    "core/all.ts",
    'export * from "../model/mod.ts";\nexport { type A } from "../stats/a.ts";\n',
    ["core/all.ts imports upward: model/mod.ts", "core/all.ts imports upward: stats/a.ts"],
  ],
  "an upward import for its effect": ["core/a.ts", 'import "../schema/role.ts";', [
    "core/a.ts imports upward: schema/role.ts",
  ]],
  "an upward import at run time": [
    "lab/runs/a.ts",
    "const work = async () => await import('../paper/verdict.ts');\n",
    ["lab/runs/a.ts imports upward: lab/paper/verdict.ts"],
  ],
  "a protocol that imports the other": [
    "deliberation/a.ts",
    'import { weather } from "../station/weather.ts";\n',
    ["deliberation/a.ts imports upward: station/weather.ts"],
  ],
  "the other way round": [
    "station/a.ts",
    'import { decide } from "../deliberation/decide.ts";\n',
    ["station/a.ts imports upward: deliberation/decide.ts"],
  ],
  "figures that read files": [
    "lab/plots/a.ts",
    'import { readLedger } from "../runs/read_ledger.ts";\nimport { D } from "../../stats/divergence.ts";\n',
    ["lab/plots/a.ts imports upward: lab/runs/read_ledger.ts"],
  ],
  "a library that needs the command line": [
    "mod.ts",
    'export * from "./lab/runs/council.ts";\nexport * from "./lab/tools/main.ts";\n',
    ["mod.ts imports upward: lab/tools/main.ts"],
  ],
  "danfojs where numbers are made": [
    "stats/a.ts",
    'import * as dfd from "danfojs";\n',
    ["stats/a.ts imports danfojs, which is for lab/notebook alone"],
  ],
  "danfojs where tables are shown": ["lab/notebook/a.ts", 'import type { DataFrame } from "danfojs";\n', []],
  "a live client outside the model layer": [
    "lab/runs/a.ts",
    'import OpenAI from "openai/index.mjs";\n',
    ["lab/runs/a.ts imports openai, which is for model alone"],
  ],
  "the short way in": [
    "quality/a.ts",
    'import { ok } from "@/core/result.ts";\n',
    ["quality/a.ts imports @/core/result.ts: imports inside lib/ are relative"],
  ],
  "a package from elsewhere": [
    "core/a.ts",
    'import { x } from "jsr:@std/assert";\nimport { y } from "pure-rand/types/x";\nimport z from "node:path";\n',
    ["core/a.ts imports jsr:@std/assert, which deno.json does not name"],
  ],
  "code outside lib/": [
    "core/a.ts",
    'import { x } from "../../tests/layers.ts";\nimport config from "../../deno.json" with { type: "json" };\n',
    ["core/a.ts imports ../tests/layers.ts, code outside lib/"],
  ],
  "a folder nobody planned": ["utils/a.ts", "", [
    `utils/a.ts is in no known layer: lib/ has ${Object.keys(LAYERS).join(", ")}`,
  ]],
};

for (const [name, [file, source, broken]] of Object.entries(made)) {
  Deno.test(`the check of imports knows ${name}`, () => assert.deepEqual(brokenRules(file, source, packages), broken));
}

Deno.test("every room has a mod.ts that deno.json exports, and no file of lib/ imports one", async () => {
  const { exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const rooms = Object.keys(LAYERS).filter((room) => room !== "mod.ts");
  const wanted = Object.fromEntries(rooms.map((room) => [`./${room.replace("lab/", "")}`, `./lib/${room}/mod.ts`]));
  assert.deepEqual(exports, { ".": "./lib/mod.ts", ...wanted });
  for (const [file, source] of lib) {
    if (file.endsWith("mod.ts")) continue;
    assert.deepEqual(importsOf(source).filter((target) => target.endsWith("/mod.ts")), [], file);
  }
});

Deno.test("every room's mod.ts opens with what the room is for and one example", () => {
  const rooms = Object.keys(LAYERS).filter((room) => room !== "mod.ts");
  const opening = /^\/\*\*\n \* [A-Z][^]*?\n \* ```ts\b[^]*?\n \* ```\n[^]*? \* @module\n \*\//;
  assert.deepEqual(rooms.filter((room) => !opening.test(lib.get(`${room}/mod.ts`)!)), []);
});

Deno.test("notebooks import nothing of the library past the door of a room", async () => {
  for (const path of await findNotebooks(fileURLToPath(new URL("notebooks", ROOT)))) {
    const imports = runnableCells(await readNotebook(path)).flatMap(({ source }) => importsOf(source));
    const deep = imports.filter((target) =>
      target.startsWith("@/") && !/^@\/(?:(?:lab\/)?\w+\/)?mod\.ts$/.test(target)
    );
    assert.deepEqual(deep, [], path);
  }
});

Deno.test("no two files of lib/ import each other, directly or over others", () => {
  assert.deepEqual(circles(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b"]], ["d", ["a"]]])), [["b", "c"]]);
  const imports = [...lib].map(([file, source]): [string, string[]] => [
    file,
    importsOf(source).filter((target) => target.startsWith(".")).map((target) =>
      posix.join(posix.dirname(file), target)
    ),
  ]);
  assert.deepEqual(circles(new Map(imports)), []);
});

/** Groups of files each of which reaches every other by imports; sorted. */
function circles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reach = (from: string): Set<string> => {
    const seen = new Set<string>();
    const next = [...imports.get(from) ?? []];
    for (let file = next.pop(); file !== undefined; file = next.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      next.push(...imports.get(file) ?? []);
    }
    return seen;
  };
  const reached = new Map([...imports.keys()].map((file) => [file, reach(file)]));
  const groups = new Map<string, string[]>();
  for (const [file, set] of reached) {
    if (!set.has(file)) continue;
    const group = [...set].filter((other) => reached.get(other)?.has(file)).sort();
    groups.set(group[0]!, group);
  }
  return [...groups.values()];
}

Deno.test("examples in comments are not imports", () => {
  const source = '/**\n * ```ts\nimport a from "a";\n * ```\n */\n// import b from "b";\nimport c from "c";\n';
  assert.deepEqual(importsOf(source), ["c"]);
});

Deno.test("chance, clocks and files stay out of stats/, and global dice out of lib/", () => {
  for (const [file, source] of lib) {
    assert.doesNotMatch(source, /\bMath\.random\b/, file);
    if (file.startsWith("stats/")) assert.doesNotMatch(source, /\bDeno\.|\bDate\b|\bperformance\./, file);
  }
});

Deno.test("no file names a place on one machine", async () => {
  const place = /(?:^|[\s"'`(=:])(?:\/(?:home|root|work|Users|mnt)\/\w|[A-Z]:\\\w)/m;
  assert.match('const data = "/home/someone/data";', place);
  assert.doesNotMatch("see lib/work/home.ts and https://host/home/page", place);
  for (const folder of ["lib", "tests", "notebooks", "scenarios", ".ci", ".jupyter"]) {
    for (const [file, text] of await filesIn(folder, ".ts", ".json", ".ipynb", ".md", ".yml", ".sh")) {
      if (file !== "layers_test.ts") assert.doesNotMatch(text, place, `${folder}/${file}`);
    }
  }
});

Deno.test("tests/ mirrors lib/: every folder with tests of code is a folder of lib/", async () => {
  const folders = new Set([...lib.keys()].map((file) => file.slice(0, file.lastIndexOf("/") + 1)));
  const besides = ["", "scenarios/", "browser/", "faults/"];
  for (const file of (await filesIn("tests", "_test.ts")).keys()) {
    const folder = file.slice(0, file.lastIndexOf("/") + 1);
    const known = folders.has(folder) || besides.includes(folder) || /^(?:gate|makers|bench)\//.test(folder);
    assert.ok(known, `tests/${file} has no folder beside it in lib/`);
  }
});

Deno.test("the picture in CONTRIBUTING.md shows the layers: what can be reached in it is what may be imported", async () => {
  const text = await Deno.readTextFile(new URL("CONTRIBUTING.md", ROOT));
  const [, picture = ""] = /```mermaid\n([\s\S]*?)```/.exec(text) ?? [];
  const drawn = new Map(
    [...picture.matchAll(/^ {2,4}(\S+) --> (.+)$/gm)].map(([, from, to]) => [from!, to!.split(" & ")]),
  );
  const below = (room: string): string[] => (drawn.get(room) ?? []).flatMap((lower) => [lower, ...below(lower)]);
  const short = (room: string) => room.replace("lab/", "");
  for (const [room, lower] of Object.entries(LAYERS)) {
    assert.deepEqual([...new Set(below(short(room)))].sort(), lower.map(short).sort(), room);
  }
  const [, lab = ""] = /subgraph lib\/lab\n([\s\S]*?)\n {2}end/.exec(picture) ?? [];
  const rooms = Object.keys(LAYERS).filter((room) => room.startsWith("lab/")).map(short);
  assert.deepEqual([...new Set(lab.match(/^ {4}\w+/gm)?.map((name) => name.trim()))].sort(), rooms.sort());
});
