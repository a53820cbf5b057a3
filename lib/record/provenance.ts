import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import config from "../../deno.json" with { type: "json" };
import type { Provenance } from "../schema/ledger_line.ts";

/** The code that decides how a run goes: protocol, engine, agents, and the schemas that fill in defaults. */
const PARTS = ["core", "schema", "model", "deliberation", "quality", "station"] as const;

let known: string | undefined;

/**
 * A hash of the source that makes runs, so that a result of changed code is not taken for a current one, whether the
 * change was committed or not. Absent where the source cannot be read.
 */
export function codeHash(): string | undefined {
  return known ??= hashOf(fileURLToPath(new URL("../", import.meta.url)));
}

function hashOf(lib: string): string | undefined {
  const hash = createHash("sha256");
  try {
    const entries = PARTS.flatMap((part) => readdirSync(join(lib, part), { recursive: true, withFileTypes: true }));
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
      .sort();
    // Names go in with the contents: a file renamed is a change.
    for (const path of paths) hash.update(`${relative(lib, path)}\0`).update(readFileSync(path));
  } catch {
    return undefined;
  }
  return hash.digest("hex").slice(0, 12);
}

/** Deno's version, or Node's with its name. */
const RUNTIME = process.versions["deno"] ?? `node ${process.versions.node}`;

/** Read once, like the code: what runs is what was checked out when the process began. */
let own: { readonly commit: string | undefined } | undefined;
const ownCommit = () => (own ??= { commit: headCommit(new URL("../../.git/", import.meta.url)) }).commit;

/**
 * The makers of this process's runs: library version, git commit where it can be read, Deno version, hash of the code.
 *
 * @param options `git`: the `.git` folder; by default this library's own.
 */
export function provenance({ git }: { readonly git?: URL } = {}): Provenance {
  const [commit, code] = [git === undefined ? ownCommit() : headCommit(git), codeHash()];
  return { library: config.version, ...(commit && { commit }), deno: RUNTIME, ...(code && { code }) };
}

/** The checked-out commit, read from git's own files: running git would need a wider permission. */
function headCommit(git: URL): string | undefined {
  const head = read(git, "HEAD");
  const ref = head?.match(/^ref: (.+)$/)?.[1];
  if (ref === undefined) return head;
  return read(git, ref) ??
    read(git, "packed-refs")?.split("\n").find((line) => line.endsWith(` ${ref}`))?.split(" ")[0];
}

function read(git: URL, file: string): string | undefined {
  try {
    return readFileSync(new URL(file, git), "utf8").trim();
  } catch {
    // Not a git checkout, or not readable: the commit is then absent from the record, not made up.
    return undefined;
  }
}
