import { UserError } from "../core/user_error.ts";
import { fileName } from "./read_text.ts";

/**
 * The names of the JSON files in a folder, without `.json`, sorted.
 *
 * @throws {UserError} when the folder is missing or cannot be read.
 */
export async function listJson(folder: URL): Promise<string[]> {
  try {
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    return names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length)).sort();
  } catch (cause) {
    const words = cause instanceof Deno.errors.NotFound
      ? "there is no such folder; check the path, or restore the folder"
      : `cannot be read (${cause instanceof Error ? cause.message : String(cause)})`;
    throw new UserError(`${fileName(folder)}: ${words}`, { cause });
  }
}
