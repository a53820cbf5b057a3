import { dirname } from "node:path";
import { UserError } from "../core/user_error.ts";

/**
 * Writes a file whole or not at all: into a temporary neighbour, which is then renamed. A run that is stopped half-way
 * leaves the earlier file as it was. Missing folders are made.
 *
 * @throws {UserError} when the folder cannot be written to, or the disk is full.
 */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${Deno.pid}.part`;
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await (typeof content === "string" ? Deno.writeTextFile(temporary, content) : Deno.writeFile(temporary, content));
    await Deno.rename(temporary, path);
  } catch (cause) {
    await Deno.remove(temporary).catch(() => {});
    throw new UserError(`cannot write ${path}: ${obstacle(cause)}`, { cause });
  }
}

function obstacle(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof Deno.errors.NotCapable) {
    return "Deno may not write there; run with --allow-write for that folder";
  }
  if (/ENOSPC|os error 28|No space left/i.test(message)) {
    return "the disk is full; free some space or choose another folder";
  }
  if (/EROFS|EACCES|os error (30|13)/i.test(message) || cause instanceof Deno.errors.PermissionDenied) {
    return "the folder is read-only; choose another folder or change its permissions";
  }
  if (/ENOTDIR|EEXIST|EISDIR|os error (17|20|21)/i.test(message)) {
    return "something that is not a folder stands in the way; remove it or choose another folder";
  }
  return message;
}
