import { fileURLToPath } from "node:url";
import { UserError } from "../../core/user_error.ts";

/**
 * A module of this library and all its imports, as one script for the browser: minified, without imports or exports.
 *
 * Deno's own bundler runs inside this process and needs only read permission. The same sources give the same bytes,
 * which name no folder of the machine.
 *
 * @param entry file URL of the module.
 * @throws {UserError} when the bundler is not switched on, or refuses the module, with its message.
 */
export async function bundleBrowser(entry: URL): Promise<string> {
  if (typeof Deno.bundle !== "function") {
    throw new UserError(`Deno.bundle is switched off: start Deno where the project's deno.json says "bundle"`);
  }
  const { success, errors, outputFiles } = await Deno.bundle({
    entrypoints: [fileURLToPath(entry)],
    write: false,
    minify: true,
    platform: "browser",
    format: "iife",
  });
  const [script] = outputFiles ?? [];
  if (success && script !== undefined) return script.text();
  throw new UserError(
    `${entry.pathname.split("/").at(-1)} cannot be bundled: ${errors.map(({ text }) => text).join("; ")}`,
  );
}
