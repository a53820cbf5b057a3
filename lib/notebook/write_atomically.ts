import { dirname } from "node:path";
import { UserError } from "../core/user_error.ts";
import { writingObstacle } from "../storage/writing_obstacle.ts";

/**
 * Writes a file whole or not at all: into a temporary neighbour, which is then renamed. A run that is stopped half-way
 * leaves the earlier file as it was. Missing folders are made. For what can be made again: unlike `writeWhole` it does not
 * wait until the disk has it.
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
    throw new UserError(`cannot write ${path}: ${writingObstacle(cause)}`, { cause });
  }
}
