import { join, resolve } from "node:path";
import { UserError } from "../../core/user_error.ts";

/**
 * The notebooks in a folder and the folders in it, as absolute paths in the order of their names. Hidden folders, such
 * as the checkpoints that Jupyter makes, are left out.
 *
 * @throws {UserError} when there is no such folder, or no notebook in it.
 */
export async function findNotebooks(folder: string): Promise<string[]> {
  const paths = await search(resolve(folder));
  if (paths.length === 0) throw new UserError(`${folder} holds no notebook (.ipynb)`);
  return paths.sort();
}

async function search(folder: string): Promise<string[]> {
  const paths: string[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (name.startsWith(".")) continue;
      if (isDirectory) paths.push(...await search(join(folder, name)));
      else if (name.endsWith(".ipynb")) paths.push(join(folder, name));
    }
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new UserError(`there is no folder ${folder}`, { cause });
  }
  return paths;
}
