import { dirname, join } from "node:path";
import { median } from "simple-statistics";
import config from "../../../deno.json" with { type: "json" };
import { UserError } from "@/core/user_error.ts";
import { PROJECT, runProgram } from "@/lab/tools/notebooks/workspace.ts";
import { COMPILER_OPTIONS, copy, filesUnder, npm, ROOMS, writeJson } from "./build.ts";

/** One example of a document, as a module that imports the package. */
interface Example {
  /** Such as `your_own_code.md example 1`. */
  readonly name: string;
  readonly code: string;
  /** What it uses that the package leaves to Deno's own rooms; undefined where it uses none. */
  readonly outside: string | undefined;
  readonly needsDeno: boolean;
}

const BLOCK = /^```ts\n([\s\S]*?)^```$/gm;
const SPECIFIER = /"@\/(?:(?:lab\/)?(\w+)\/)?mod\.ts"/g;

/** The examples of README.md, the package's own and the guide that are meant to run. */
export async function examples(): Promise<Example[]> {
  const guide = "notebooks/guide", all: Example[] = [];
  const names = (await Array.fromAsync(Deno.readDir(join(PROJECT, guide)), ({ name }) => name)).sort();
  const pages = names.filter((name) => name.endsWith(".md")).map((name) => `${guide}/${name}`);
  for (const file of ["README.md", "tests/gate/package/README.md", ...pages]) {
    const text = await Deno.readTextFile(join(PROJECT, file));
    for (const [index, [, code]] of [...text.matchAll(BLOCK)].entries()) {
      const rooms = [...code!.matchAll(SPECIFIER)].map(([, room]) => room).filter((room) => room !== undefined);
      all.push({
        name: `${file} example ${index + 1}`,
        code: code!.replaceAll(SPECIFIER, (_, room) => `"${config.name}${room ? `/${room}` : ""}"`),
        outside: rooms.find((room) => !ROOMS.some((known) => known === room)),
        needsDeno: /\bDeno\./.test(code!),
      });
    }
  }
  return all;
}

/** Installs the tarball in an empty folder and puts the examples and the data that they name beside it. */
export async function installed(folder: string, tarball: string, all: readonly Example[]): Promise<void> {
  await writeJson(join(folder, "package.json"), { name: "examples", private: true, type: "module" });
  await npm(["install", "--no-audit", "--no-fund", "--ignore-scripts", tarball], folder);
  for (const file of await filesUnder("data/examples", "data/preserved")) await copy(file, folder);
  for (const [index, { code }] of all.entries()) await Deno.writeTextFile(join(folder, `${index}.ts`), code);
}

/** How Deno runs what is installed, without network. */
const INSTALLED = ["--no-lock", "--node-modules-dir=manual", "--cached-only"];

/** Runs the examples in Deno, without network. */
export const inDeno = (folder: string, all: readonly Example[]) =>
  outcomeOf(all, () => true, (index) =>
    runProgram("deno", [
      ...["run", ...INSTALLED, "--no-check", "--no-prompt"],
      ...["--allow-read", "--allow-env", `${index}.ts`],
    ], { cwd: folder }));

/** Runs those that need no Deno in Node, compiled by the package's own compiler. */
export async function inNode(folder: string, compiler: string, all: readonly Example[]) {
  await writeJson(join(folder, "tsconfig.json"), {
    compilerOptions: { ...COMPILER_OPTIONS, types: [] },
    files: all.map((_, index) => `${index}.ts`),
  });
  await runProgram("node", [compiler, "-p", "."], { cwd: folder });
  return await outcomeOf(
    all,
    ({ needsDeno }) => !needsDeno,
    (index) => runProgram("node", [`${index}.js`], { cwd: folder }),
  );
}

/**
 * Complaints of the runtime's compiler about a program that uses the package, and about the declarations of its rooms; empty
 * where there are none.
 */
export async function typeErrors(runtime: "Deno" | "Node", folder: string, compiler: string): Promise<string> {
  const files = ["consumer.ts", "rooms.ts"];
  await copy("tests/gate/package/consumer.ts", folder, "consumer.ts");
  const rooms = ROOMS.map((room) => `export type * as ${room} from "${config.name}/${room}";\n`);
  await Deno.writeTextFile(join(folder, "rooms.ts"), rooms.join(""));
  const types = join(dirname(compiler), "../../@types");
  await writeJson(join(folder, "tsconfig.json"), {
    compilerOptions: {
      ...{ strict: true, noEmit: true, module: "nodenext", target: "es2022", lib: ["esnext"], skipLibCheck: false },
      ...{ types: ["node"], typeRoots: [types] },
    },
    files,
  });
  const { success, out, err } = runtime === "Node"
    ? await runProgram("node", [compiler, "-p", "."], { cwd: folder })
    : await runProgram("deno", ["check", ...INSTALLED, ...files], { cwd: folder });
  return success ? "" : `${out}${err}`.trim();
}

const PAIRS = 20;

/** How long a process that imports the estimators takes, over one that imports nothing: the median of pairs. */
export async function importRatio(runtime: "Deno" | "Node", folder: string): Promise<number> {
  await Deno.writeTextFile(join(folder, "empty.js"), "export {};\n");
  await Deno.writeTextFile(join(folder, "stats.js"), `import "${config.name}/stats";\n`);
  const options = runtime === "Deno" ? ["run", ...INSTALLED] : [];
  const taken = async (module: string): Promise<number> => {
    const begin = performance.now();
    const { success, err } = await runProgram(runtime.toLowerCase(), [...options, module], { cwd: folder });
    if (!success) throw new UserError(`${runtime} cannot run ${module}:\n${err}`);
    return performance.now() - begin;
  };
  const ratios: number[] = [];
  // The first pair fills caches.
  for (let pair = 0; pair <= PAIRS; pair++) {
    const order = pair % 2 === 0 ? ["empty.js", "stats.js"] : ["stats.js", "empty.js"];
    const times: Record<string, number> = {};
    for (const module of order) times[module] = await taken(module);
    if (pair > 0) ratios.push(times["stats.js"]! / times["empty.js"]!);
  }
  return median(ratios);
}

async function outcomeOf(
  all: readonly Example[],
  asks: (example: Example) => boolean,
  run: (index: number) => Promise<{ success: boolean; err: string }>,
) {
  const failures: string[] = [];
  let asked = 0;
  for (const [index, example] of all.entries()) {
    if (example.outside !== undefined || !asks(example)) continue;
    asked++;
    const { success, err } = await run(index);
    if (!success) failures.push(`${example.name}: ${err.trim()}`);
  }
  return { passed: asked - failures.length, asked, failures };
}
