import { PROJECT } from "../faults/live_command.ts";

/** A copy of what a machine needs to work on a sweep, with some of its files otherwise: `change` gives their new text. */
export async function copyOfProject(
  folder: string,
  changes: Readonly<Record<string, (text: string) => string>> = {},
): Promise<string> {
  const project = `${folder}/project`;
  await Deno.mkdir(project);
  const parts = ["lib", "scenarios", "deno.json", "deno.lock", "data/columns.json", "data/estimators/stopping.json"];
  const args = ["-r", "--parents", ...parts, project];
  const { success } = await new Deno.Command("cp", { args, cwd: PROJECT, stdin: "null" }).output();
  if (!success) throw new Error("the project cannot be copied");
  for (const [path, change] of Object.entries(changes)) {
    const file = `${project}/${path}`;
    await Deno.writeTextFile(file, change(await Deno.readTextFile(file)));
  }
  return project;
}

/** Changes `scenarios/providers.json`: what the default endpoint allows. */
export const withLimits = (limits: Readonly<Record<string, number>>) => ({
  "scenarios/providers.json": (text: string) => {
    const file = JSON.parse(text);
    return JSON.stringify({ ...file, providers: { ...file.providers, default: { limits } } });
  },
});
