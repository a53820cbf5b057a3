import { LEDGER_SCHEMA } from "../schema/ledger_line.ts";
import { isTornDeclaration } from "./ledger_rules.ts";

const NAME = LEDGER_SCHEMA.split("/")[0]!;
const OPENING = new RegExp(`^\\s*\\{\\s*"schema"\\s*:\\s*"${NAME}/`);
/** More than the opening needs, whatever white space it is written with. */
const LOOKED_AT = 256;

/**
 * Whether a file begins with the line of a ledger, of whatever version; other files hold runs that another programme wrote.
 *
 * A file that is empty or cannot be read counts as one: `readLedger` says what is wrong with it.
 */
export async function beginsAsLedger(path: string): Promise<boolean> {
  try {
    using file = await Deno.open(path);
    const start = new Uint8Array(LOOKED_AT);
    const size = await file.read(start) ?? 0;
    const read = start.subarray(0, size);
    return size === 0 || OPENING.test(new TextDecoder().decode(read)) || isTornDeclaration(read);
  } catch {
    return true;
  }
}
