import { dirname, join } from "node:path";

/** Calls `use` with a temporary folder that holds the given files (by relative path), and removes it afterwards. */
export async function withFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, content] of Object.entries(files)) {
      await Deno.mkdir(dirname(join(folder, name)), { recursive: true });
      if (typeof content === "string") await Deno.writeTextFile(join(folder, name), content);
      else await Deno.writeFile(join(folder, name), content);
    }
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
