import { gzipSync } from "node:zlib";
import { PROJECT, runProgram } from "@/lab/tools/notebooks/workspace.ts";

/** Tries to publish, without a registry: the problems that Deno finds, and the size of what would be sent, in bytes. */
export async function tryPublishing() {
  const asked = ["publish", "--dry-run", "--allow-dirty", "--allow-slow-types"];
  const { success, err } = await runProgram("deno", asked, { cwd: PROJECT });
  const problems = [...err.matchAll(/^error\[.*\n *--> .*$/gm)].map(([words]) => words.replace(/\s*\n\s*-->/, ":"));
  if (!success && problems.length === 0) problems.push(err.trim());
  const files = [...err.matchAll(/^ +file:\/\/(\S+) \(/gm)].map(([, path]) => decodeURI(path!));
  const contents = await Promise.all(files.map((path) => Deno.readFile(path)));
  if (success && contents.length === 0) problems.push("deno publish lists no file");
  const whole = await new Blob(contents).bytes();
  return { problems, packed: gzipSync(whole).length, unpacked: whole.length };
}
