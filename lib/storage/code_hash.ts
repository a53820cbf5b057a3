import { createHash } from "node:crypto";

/** What decides how a run goes: protocol, engine, agents, and the schemas that fill in defaults. */
const PARTS = ["core", "schema", "model", "deliberation", "quality", "station"] as const;

let known: string | undefined;

/**
 * A hash of the source that makes runs, so that a result of changed code is not taken for a current one, whether the
 * change was committed or not. Absent where the source cannot be read.
 */
export function codeHash(): string | undefined {
  return known ??= hashOf(new URL("../", import.meta.url));
}

function hashOf(lib: URL): string | undefined {
  const hash = createHash("sha256");
  try {
    for (const part of PARTS) addFolder(hash, new URL(`${part}/`, lib), part);
  } catch {
    return undefined;
  }
  return hash.digest("hex").slice(0, 12);
}

/** Names go in with the contents: a file renamed is a change. */
function addFolder(hash: ReturnType<typeof createHash>, folder: URL, name: string): void {
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = `${name}/${entry.name}`;
    if (entry.isDirectory) addFolder(hash, new URL(`${entry.name}/`, folder), path);
    else hash.update(`${path}\0`).update(Deno.readFileSync(new URL(entry.name, folder)));
  }
}
