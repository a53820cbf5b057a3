import config from "../../deno.json" with { type: "json" };
import type { Provenance } from "../schema/ledger_line.ts";
import { codeHash } from "./code_hash.ts";

const GIT = new URL("../../.git/", import.meta.url);

/** Where git keeps what it knows; by default this library's own checkout. */
export interface ProvenanceOptions {
  readonly git?: URL | undefined;
}

/** What makes the runs of this process: library version, git commit where it can be read, Deno version, hash of the code. */
export function provenance({ git = GIT }: ProvenanceOptions = {}): Provenance {
  const [commit, code] = [headCommit(git), codeHash()];
  return { library: config.version, ...(commit && { commit }), deno: Deno.version.deno, ...(code && { code }) };
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
    return Deno.readTextFileSync(new URL(file, git)).trim();
  } catch {
    // Not a git checkout, or not readable: the commit is then absent from the record, not made up.
    return undefined;
  }
}
