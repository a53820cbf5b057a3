import { fileURLToPath } from "node:url";
import { UserError } from "../core/user_error.ts";

/** A file's name as people write it: a path, also where a URL was given. */
export function fileName(file: string | URL): string {
  return file instanceof URL ? fileURLToPath(file) : file;
}

/**
 * The text of a UTF-8 file; a byte order mark is left out.
 *
 * @throws {UserError} when the file is missing, cannot be read, or holds bytes that are not UTF-8 (which
 * `Deno.readTextFile` would silently replace).
 */
export async function readText(file: string | URL): Promise<string> {
  const name = fileName(file);
  const bytes = await Deno.readFile(file).catch((cause: unknown) => {
    throw new UserError(`${name}: ${readingObstacle(cause)}`, { cause });
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UserError(`${name}: is not UTF-8 text; save it again as UTF-8`, { cause });
  }
}

/** Why a file could not be read and what to do about it, to stand behind its name. */
export function readingObstacle(cause: unknown): string {
  if (cause instanceof Deno.errors.NotFound) return "there is no such file; check the path, or restore the file";
  if (cause instanceof Deno.errors.NotCapable) return "Deno may not read it; run with --allow-read for its folder";
  if (cause instanceof Deno.errors.PermissionDenied) return "may not be read; check the file's permissions";
  return `cannot be read (${cause instanceof Error ? cause.message : String(cause)})`;
}
