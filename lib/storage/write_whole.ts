import { dirname } from "node:path";
import { UserError } from "../core/user_error.ts";
import { writingObstacle } from "./writing_obstacle.ts";

/**
 * Writes a file whole or not at all, safe against power loss: a temporary neighbour is written and synced, renamed, and
 * then the folder is synced. Missing folders are made. For records, which cannot be made again.
 *
 * @throws {UserError} when it cannot be written; the earlier file is then as it was.
 */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${Deno.pid}.part`;
  try {
    Deno.mkdirSync(dirname(path), { recursive: true });
    writeSynced(temporary, typeof content === "string" ? new TextEncoder().encode(content) : content);
    Deno.renameSync(temporary, path);
    using folder = Deno.openSync(dirname(path));
    folder.syncSync();
  } catch (cause) {
    removeIfThere(temporary);
    throw new UserError(`cannot write ${path}: ${writingObstacle(cause)}. What was there before is intact`, { cause });
  }
}

function writeSynced(path: string, bytes: Uint8Array): void {
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  for (let written = 0; written < bytes.length;) written += file.writeSync(bytes.subarray(written));
  file.syncSync();
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It was never made, or the folder is out of reach: the error that led here says so.
  }
}
