import assert from "node:assert/strict";
import { withFiles } from "../runs/with_files.ts";
import { assertFailed, outcome } from "./command.ts";

/** A task of the study, in its folder, as its README says. */
async function task(name: string, cwd: string) {
  const env = { NO_COLOR: "1" };
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args: ["task", name], cwd, env }).output();
  return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}

Deno.test("new makes a study outside this folder whose two commands work, to a picture", async () => {
  await withFiles({}, async (parent) => {
    const folder = `${parent}/deep/study`, made = await outcome("new", [folder]);
    assert.deepEqual([made.code, made.stderr], [0, ""]);
    const readme = await Deno.readTextFile(`${folder}/README.md`);
    const commands = Array.from(readme.matchAll(/^deno task (\w+)$/gm), ([, name]) => name!);
    assert.deepEqual(commands, ["study", "test"]);
    for (const name of commands) {
      const { code, stdout, stderr } = await task(name, folder);
      assert.equal(code, 0, stderr);
      if (name === "study") assert.match(stdout, /λ̂ [−\d.]+ nats per round.*\ndecisions right: \d+ %/);
    }
    assert.ok((await Deno.readTextFile(`${folder}/out/drift.svg`)).startsWith("<svg"));
    assert.equal(await Deno.readTextFile(`${folder}/.gitignore`), "out/\nruns/\n");
  });
});

Deno.test("new replaces nothing and wants one folder", async () => {
  await withFiles({ "mine.txt": "mine" }, async (folder) => {
    assertFailed(await outcome("new", [folder]), 1, /is not empty \(mine\.txt\): name a new folder/);
    assertFailed(await outcome("new", [`${folder}/mine.txt`]), 1, /is not empty/);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(folder), ({ name }) => name), ["mine.txt"]);
    assertFailed(await outcome("new", []), 2, /name one folder/);
  });
});
