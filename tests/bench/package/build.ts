import { dirname, join, posix } from "node:path";
import config from "../../../deno.json" with { type: "json" };
import { UserError } from "@/core/user_error.ts";
import { PROJECT, runProgram } from "@/tools/notebooks/workspace.ts";
import { importsOf } from "../../layers.ts";

/** The rooms that need no Deno, and two that come along with `runs`; the others draw cells, pages and commands. */
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
] as const;

/** Compiles the package; the library does not import it. */
const COMPILERS = { typescript: "5.9.3", "@types/node": "20.19.0" };
/** Read at run time, relative to the module. */
const DATA = [
  "scenarios",
  "lib/sweep/001_sweeps.sql",
  "lib/sweep/002_terms.sql",
  "LICENSE",
  "README.md",
  "CITATION.cff",
];

/** Module of a room in the package, such as `lib/stats/mod.js`; `.` is the library's own. */
export const moduleOf = (room: string): string => room === "." ? "lib/mod.js" : `lib/${room}/mod.js`;

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

/** All files in a folder of the project, at any depth, by their paths from the project's. */
export async function filesUnder(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(join(PROJECT, folder)));
  const found = entries.map(({ name, isDirectory }) =>
    isDirectory ? filesUnder(`${folder}/${name}`) : [`${folder}/${name}`]
  );
  return (await Promise.all(found)).flat();
}

/**
 * Compiles the library into `folder/package` and packs it.
 *
 * @returns the tarball and the folder of the package.
 */
export async function buildPackage(folder: string): Promise<{ tarball: string; built: string }> {
  const source = join(folder, "source"), built = join(folder, "package");
  const files = [...await filesUnder("lib"), ...await filesUnder("scenarios"), "deno.json"];
  for (const file of files) await copy(file, source);
  const all = Object.fromEntries(VERSIONS);
  await writeJson(join(source, "package.json"), { type: "module", dependencies: { ...COMPILERS, ...compiled(all) } });
  await npm(["install", "--no-audit", "--no-fund", "--ignore-scripts"], source);
  await writeJson(join(source, "tsconfig.json"), {
    compilerOptions: { ...COMPILER_OPTIONS, rootDir: ".", outDir: built, declaration: true },
    files: ["lib/mod.ts", ...ROOMS.map((room) => `lib/${room}/mod.ts`)],
  });
  // Declarations that cannot be named are left out with an error; the modules are complete all the same.
  await runProgram("node", ["node_modules/typescript/bin/tsc", "-p", "."], { cwd: source });
  for await (const path of filesIn(built)) await mend(path);
  for (const file of files.filter((file) => DATA.some((part) => file.startsWith(part)))) await copy(file, built);
  for (const file of DATA.filter((file) => file !== "scenarios")) await copy(file, built);
  await copy("tests/bench/package/node20.js", built, "node20.js");
  const used = new Set<string>();
  for await (const path of filesIn(built)) {
    if (!path.endsWith(".js")) continue;
    for (const target of importsOf(await Deno.readTextFile(path))) {
      if (/^[^.n]|^n(?!ode:)/.test(target)) used.add(packageName(target));
    }
  }
  for (const room of [".", ...ROOMS]) {
    const path = join(built, moduleOf(room));
    await Deno.writeTextFile(
      path,
      `import "${room === "." ? "../" : "../../"}node20.js";\n${await Deno.readTextFile(path)}`,
    );
  }
  await writeJson(join(built, "package.json"), {
    name: config.name,
    version: config.version,
    description: "Deliberating committees of language models: ledgers and measures",
    license: "MIT",
    type: "module",
    engines: { node: ">=20.10" },
    exports: Object.fromEntries([".", ...ROOMS].map((room) => [
      room === "." ? room : `./${room}`,
      { types: `./${moduleOf(room).replace(/js$/, "d.ts")}`, default: `./${moduleOf(room)}` },
    ])),
    sideEffects: ["./node20.js", "./lib/**/mod.js"],
    dependencies: Object.fromEntries([...used].sort().map((name) => [name, versionOf(name)])),
  });
  const [packed] = JSON.parse(await npm(["pack", "--json", "--pack-destination", folder], built)) as {
    filename: string;
  }[];
  return { tarball: join(folder, packed!.filename.replace(/^@/, "").replace("/", "-")), built };
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

/** JSON becomes a module, since Node 20 warns at every import of JSON. */
async function mend(path: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  if (path.endsWith(".json")) await Deno.writeTextFile(`${path}.js`, `export default ${text.trim()};\n`);
  if (!path.endsWith(".js")) return;
  await Deno.writeTextFile(path, text.replace(/(from "[^"]+\.json)" with \{ type: "json" \}/g, '$1.js"'));
}

async function* filesIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* filesIn(join(folder, name));
    else yield join(folder, name);
  }
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
