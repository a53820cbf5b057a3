import { join } from "node:path";
import { UserError } from "../../core/user_error.ts";
import { PROJECT } from "./workspace.ts";

/**
 * A notebook's file text with its cells formatted as the project's other code is.
 *
 * The text goes through `deno fmt` on standard input: given as a file, Deno 2.9.6 calls every notebook unformatted that
 * is not in its cache yet.
 *
 * @throws {UserError} when a cell cannot be parsed.
 */
export async function formatNotebook(text: string): Promise<string> {
  const child = new Deno.Command("deno", {
    args: ["fmt", "--quiet", "--ext=ipynb", "--config", join(PROJECT, "deno.json"), "-"],
    env: { NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  // A formatter that gives up early closes its end; its exit code then says more than the broken pipe.
  const written = writer.write(new TextEncoder().encode(text)).then(() => writer.close()).catch(() => {});
  const [{ success, stdout, stderr }] = await Promise.all([child.output(), written]);
  if (!success) throw new UserError(`deno fmt cannot read a cell:\n${new TextDecoder().decode(stderr).trim()}`);
  return new TextDecoder().decode(stdout);
}
