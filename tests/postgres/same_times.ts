import { runName } from "@/record/read_ledger.ts";
import { sealed } from "@/record/seal.ts";
import type { LedgerEntry, LedgerLine } from "@/schema/ledger_line.ts";

/** Options for {@linkcode sameTimes}. */
interface SameTimesOptions {
  /** Names of fields that may differ besides, wherever they stand. */
  readonly without?: readonly string[];
  /** Whether runs that were made at once are put one after the other. */
  readonly sorted?: boolean;
}

/** A ledger as if all of it had been made in one moment by one maker; every number and checksum follows from that. */
export function sameTimes(text: string, { without = [], sorted = false }: SameTimesOptions = {}): string {
  const seals = new Map<string, string>();
  const lines = text.split("\n").filter((line) => line !== "").map((line): LedgerLine =>
    JSON.parse(line, (key, value) => (without.includes(key) ? undefined : value))
  );
  const place = (line: LedgerLine) => ("replicate" in line ? line.replicate : -1);
  if (sorted) lines.sort((a, b) => place(a) - place(b));
  return lines.map(({ check: _, ...body }, i) => {
    const chain = "replicate" in body ? runName(body as LedgerEntry) : "declared";
    const one = {
      ...body,
      n: sorted ? i + 1 : body.n,
      ...("at" in body && { at: "" }),
      ...("made" in body && { made: {} }),
    };
    const next = sealed(one, seals.get(chain));
    seals.set(chain, next.check);
    return `${next.text}\n`;
  }).join("");
}
