import { basename, dirname, join, posix, relative } from "node:path";
import config from "../../../deno.json" with { type: "json" };
import { UserError } from "@/core/user_error.ts";
import { findFiles } from "@/lab/tools/notebooks/notebook_file.ts";
import { PROJECT, runProgram } from "@/lab/tools/notebooks/workspace.ts";
import { importsOf } from "../../layers.ts";

/** The rooms that need no Deno, and two that come along with `runs`. */
export const ROOMS = [
  "core",
  "schema",
  "stats",
  "model",
  "quality",
  "record",
  "deliberation",
  "station",
  "live",
  "sweep",
  "runs",
  "paper",
] as const;
/** The rooms that draw cells and pages or are commands: in the package they say that they need Deno and the project. */
const DENO_ROOMS = ["plots", "explorer", "notebook", "tools"];

/** Compiles the package; the library does not import it. */
const COMPILERS = { typescript: "5.9.3", "@types/node": "20.19.0", esbuild: "0.25.12" };
/** Compiled into the package, so that an estimator is imported without any other package. */
const COMPILED_IN = ["d3-array", "internmap", "simple-statistics", "pure-rand", "fastest-levenshtein"];
/** Read at run time, relative to the module. */
const DATA = ["scenarios", "data/published", "data/claims"];
/** Imported by modules, so compiled in as well. */
const TABLES = ["data/predictions", "data/surrogate", "data/estimators"];
/** How zod's declarations name a copy of the fields T of a schema. */
const COPIED = "util.Writeable<T>";
/** Folder of the modules that rooms share; as deep as a room of the lab, whose modules read data. */
const SHARED = "lib/lab/shared";

/** Module of a room in the package, such as `lib/stats/mod.js`; `.` is the library's own. */
export const moduleOf = (room: string): string => sourceOf(room).replace(/ts$/, "js");
const sourceOf = (room: string): string =>
  config.exports[(room === "." ? room : `./${room}`) as keyof typeof config.exports].slice("./".length);

/** A package of the import map by its name: its version. */
const VERSIONS = new Map(
  Object.values(config.imports).flatMap((target) => {
    const [, name, version] = target.match(/^npm:\/?((?:@[^/]+\/)?[^@/]+)@([^/]+)/) ?? [];
    return name === undefined ? [] : [[name, version!] as const];
  }),
);

/** The packages that a module of the built package reaches, over all that it imports at once. */
export async function packagesOf(folder: string, module: string, seen = new Set<string>()): Promise<Set<string>> {
  seen.add(module);
  const found = new Set<string>();
  for (const target of importsOf(await Deno.readTextFile(join(folder, module)))) {
    const path = posix.join(posix.dirname(module), target);
    if (target.startsWith("node:")) continue;
    if (!target.startsWith(".")) found.add(packageName(target));
    else if (!seen.has(path)) { for (const name of await packagesOf(folder, path, seen)) found.add(name); }
  }
  return found;
}

const packageName = (target: string): string => target.split("/").slice(0, target.startsWith("@") ? 2 : 1).join("/");

/** All files in some folders of the project, at any depth, by their paths from the project's. */
export async function filesUnder(...folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => findFiles(join(PROJECT, folder), "")));
  return found.flat().map((path) => relative(PROJECT, path));
}

/**
 * Compiles the library into `folder/package` and packs it.
 *
 * @returns the tarball and the folder of the package.
 */
export async function buildPackage(folder: string): Promise<{ tarball: string; built: string }> {
  const source = join(folder, "source"), built = join(folder, "package");
  const lib = await filesUnder("lib"), data = [...await filesUnder(...DATA), "LICENSE", "CITATION.cff"];
  const tables = (await filesUnder(...TABLES)).filter((file) => file.endsWith(".json"));
  for (const file of [...lib, ...data, ...tables, "deno.json"]) await copy(file, source);
  await writeJson(join(source, "package.json"), {
    type: "module",
    dependencies: { ...COMPILERS, ...compiled(Object.fromEntries(VERSIONS)) },
  });
  await npm(["install", "--no-audit", "--no-fund", "--ignore-scripts"], source);
  await declare(source, built);
  await bundle(source, built);
  for (const file of data) await copy(file, built);
  for (const file of lib.filter((file) => file.endsWith(".sql"))) await copy(file, built, join(SHARED, basename(file)));
  for (const file of ["node20.js", "README.md"]) await copy(`tests/gate/package/${file}`, built, file);
  for (const room of DENO_ROOMS) await Deno.writeTextFile(join(built, `${room}.js`), denoOnly(room));
  await Deno.writeTextFile(join(built, "COMPILED_IN.txt"), await licences(source));
  const used = new Set<string>();
  for (const path of await findFiles(built, "")) {
    if (!/\.js$|\.d\.ts$/.test(path)) continue;
    for (const target of importsOf(await Deno.readTextFile(path))) {
      if (/^[^.n]|^n(?!ode:)/.test(target)) used.add(packageName(target));
    }
  }
  const entries = [".", ...ROOMS].map((room) => [
    room === "." ? room : `./${room}`,
    { types: `./${moduleOf(room).replace(/js$/, "d.ts")}`, default: `./${moduleOf(room)}` },
  ]);
  await writeJson(join(built, "package.json"), {
    name: config.name,
    version: config.version,
    description: "Deliberating committees of language models: ledgers and measures",
    license: "MIT",
    type: "module",
    engines: { node: ">=20.10" },
    exports: Object.fromEntries([...entries, ...DENO_ROOMS.map((room) => [`./${room}`, `./${room}.js`])]),
    sideEffects: ["./node20.js", "./lib/**/*.js"],
    dependencies: Object.fromEntries([...used].sort().map((name) => [name, versionOf(name)])),
  });
  const [packed] = JSON.parse(await npm(["pack", "--json", "--pack-destination", folder], built)) as {
    filename: string;
  }[];
  return { tarball: join(folder, packed!.filename.replace(/^@/, "").replace("/", "-")), built };
}

/** Writes the declarations of all modules that the entries reach. */
async function declare(source: string, built: string): Promise<void> {
  // zod's declarations copy the fields of a schema, and the copy loses the comments above them.
  const zod = join(source, "node_modules/zod/v4/classic/schemas.d.cts"), text = await Deno.readTextFile(zod);
  if (!text.includes(COPIED)) throw new UserError(`${zod} holds no ${COPIED}`);
  await Deno.writeTextFile(zod, text.replaceAll(COPIED, "T"));
  // As the project is checked: otherwise what may be missing from a list is declared as always there.
  const { noUncheckedIndexedAccess, exactOptionalPropertyTypes } = config.compilerOptions;
  await writeJson(join(source, "tsconfig.json"), {
    compilerOptions: {
      ...COMPILER_OPTIONS,
      ...{ noUncheckedIndexedAccess, exactOptionalPropertyTypes },
      rootDir: ".",
      outDir: built,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
    },
    files: [".", ...ROOMS].map(sourceOf),
  });
  const { success, out } = await runProgram("node", ["node_modules/typescript/bin/tsc", "-p", "."], { cwd: source });
  if (!success) throw new UserError(`a declaration cannot be written:\n${out}`);
  for (const path of await findFiles(built, "")) {
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace(/((?:from |import\()"\.[^"]+)\.ts"/g, '$1.js"'));
  }
}

/** Makes one module of each entry, and others of what several entries need. */
async function bundle(source: string, built: string): Promise<void> {
  const entries = [".", ...ROOMS].map(sourceOf);
  const kept = [...VERSIONS.keys()].filter((name) => !COMPILED_IN.includes(name));
  const { success, err } = await runProgram("node", [
    "node_modules/esbuild/bin/esbuild",
    ...entries,
    ...["--bundle", "--splitting", "--format=esm", "--platform=node", "--target=node20.10", "--charset=utf8"],
    ...["--main-fields=module,main", "--outbase=.", `--outdir=${built}`, `--chunk-names=${SHARED}/[name]-[hash]`],
    ...kept.map((name) => `--external:${name}`),
  ], { cwd: source });
  if (!success) throw new UserError(`the package cannot be bundled:\n${err}`);
  for (const path of await findFiles(built, ".js")) {
    const up = relative(dirname(path), built);
    await Deno.writeTextFile(path, `import "${up}/node20.js";\n${await Deno.readTextFile(path)}`);
  }
}

const denoOnly = (room: string): string =>
  `throw new Error("${config.name}/${room} needs Deno and the project's own folder: clone it, or take the package for Deno");\n`;

/** The licences of what is compiled in. */
async function licences(source: string): Promise<string> {
  const texts = COMPILED_IN.map(async (name) => {
    const folder = join(source, "node_modules", name);
    const [file] = (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).filter((name) =>
      /^licen/i.test(name)
    );
    return `${name}\n\n${(await Deno.readTextFile(join(folder, file!))).trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${"-".repeat(72)}\n\n`);
}

/** How TypeScript becomes modules that Node 20 reads: without `using`, and with `.js` in imports. */
export const COMPILER_OPTIONS = {
  noCheck: true,
  rewriteRelativeImportExtensions: true,
  module: "nodenext",
  target: "es2022",
  lib: ["esnext", "dom", "dom.iterable"],
  resolveJsonModule: true,
  skipLibCheck: true,
  strict: true,
  types: ["node"],
};

/** Without the packages of figures, tables and tests, which take long to install. */
const compiled = (all: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !/danfojs|playwright|resvg|assemblyscript|axe/.test(name)));

function versionOf(name: string): string {
  const version = VERSIONS.get(name);
  if (version === undefined) throw new Error(`deno.json names no package ${name}`);
  return version;
}

export async function copy(file: string, folder: string, name = file): Promise<void> {
  await Deno.mkdir(dirname(join(folder, name)), { recursive: true });
  await Deno.copyFile(join(PROJECT, file), join(folder, name));
}

export async function writeJson(path: string, value: unknown): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** What npm prints. Throws where it fails. */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  const { success, out, err } = await runProgram("npm", args, { cwd });
  if (!success) throw new UserError(`npm ${args[0]} failed:\n${err}`);
  return out;
}
