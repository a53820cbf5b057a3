import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import config from "../../deno.json" with { type: "json" };
import { UserError } from "../core/user_error.ts";
import { missing, writeAtomically } from "../record/files.ts";
import { badArguments, print, runCommand } from "./command.ts";
import HELP from "./help/new.txt" with { type: "text" };

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const TEMPLATE = join(PROJECT, "scenarios/study");

/** Git leaves out what a file of this name in the template would name there. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: ".gitignore" };

async function* filesIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* filesIn(join(folder, name));
    else yield join(folder, name);
  }
}

/** The settings of a study: the packages of this library, which is imported from where it stands. */
function settings(folder: string): string {
  const from = (path: string) =>
    path.startsWith("./") ? `${relative(folder, join(PROJECT, path)) || "."}${path.endsWith("/") ? "/" : ""}` : path;
  const mapped = (paths: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, from(path)]));
  const scopes = Object.entries(config.scopes).map(([scope, paths]) => [from(scope), mapped(paths)]);
  return `${
    JSON.stringify(
      {
        tasks: {
          study:
            "deno run --allow-read --allow-write=out,runs --allow-env --allow-sys --allow-ffi --allow-net study.ts",
          test: "deno test --allow-read",
        },
        ...{ unstable: config.unstable, allowScripts: config.allowScripts, compilerOptions: config.compilerOptions },
        ...{ imports: mapped(config.imports), scopes: Object.fromEntries(scopes) },
      },
      null,
      2,
    )
  }\n`;
}

async function makeStudy(given: string): Promise<void> {
  const folder = resolve(given);
  if (!await missing(folder)) {
    const { isDirectory } = await Deno.stat(folder);
    const first = isDirectory ? (await Array.fromAsync(Deno.readDir(folder)))[0]?.name : given;
    if (first !== undefined) throw new UserError(`${given} is not empty (${first}): name a new folder`);
  }
  for await (const file of filesIn(TEMPLATE)) {
    const name = relative(TEMPLATE, file), path = join(folder, RENAMED[name] ?? name);
    await Deno.mkdir(dirname(path), { recursive: true });
    await writeAtomically(path, await Deno.readFile(file));
  }
  await writeAtomically(join(folder, "deno.json"), settings(folder));
  // The same versions as here, also without a network.
  await writeAtomically(join(folder, "deno.lock"), await Deno.readFile(join(PROJECT, "deno.lock")));
  print(`${given}: a study. Next: cd ${given} && deno task study`);
}

if (import.meta.main) {
  await runCommand({
    name: "new",
    help: HELP,
    options: {},
    async run({ positionals: [folder, ...rest] }) {
      if (folder === undefined || rest.length > 0) throw badArguments("name one folder, which is made");
      await makeStudy(folder);
    },
  });
}
