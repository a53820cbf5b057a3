import { cp, rename } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import config from "../../deno.json" with { type: "json" };
import { UserError } from "../core/user_error.ts";
import { missing, writeAtomically } from "../record/files.ts";
import { badArguments, print, runCommand } from "./command.ts";
import HELP from "./help/new.txt" with { type: "text" };
import { PROJECT } from "./notebooks/workspace.ts";

const TEMPLATE = join(PROJECT, "scenarios/study");

/** The settings of a study: the packages of this library, which is imported from where it stands. */
function settings(folder: string): string {
  const from = (path: string) =>
    path.startsWith("./") ? `${relative(folder, join(PROJECT, path)) || "."}${path.endsWith("/") ? "/" : ""}` : path;
  const mapped = (paths: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, from(path)]));
  const scopes = Object.entries(config.scopes).map(([scope, paths]) => [from(scope), mapped(paths)]);
  const study = "deno run --allow-read --allow-write=out,runs --allow-env --allow-sys --allow-ffi --allow-net study.ts";
  const tasks = { study, test: "deno test --allow-read" }, { unstable, allowScripts, compilerOptions } = config;
  const own = { imports: mapped(config.imports), scopes: Object.fromEntries(scopes) };
  return `${JSON.stringify({ tasks, unstable, allowScripts, compilerOptions, ...own }, null, 2)}\n`;
}

async function makeStudy(given: string): Promise<void> {
  const folder = resolve(given);
  if (!await missing(folder)) {
    const { isDirectory } = await Deno.stat(folder);
    const first = isDirectory ? (await Array.fromAsync(Deno.readDir(folder)))[0]?.name : given;
    if (first !== undefined) throw new UserError(`${given} is not empty (${first}): name a new folder`);
  }
  await writeAtomically(join(folder, "deno.json"), settings(folder));
  // The same versions as here, also without a network.
  await writeAtomically(join(folder, "deno.lock"), await Deno.readFile(join(PROJECT, "deno.lock")));
  await cp(TEMPLATE, folder, { recursive: true });
  // Under its own name git would leave out in the template what it names.
  await rename(join(folder, "gitignore"), join(folder, ".gitignore"));
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
