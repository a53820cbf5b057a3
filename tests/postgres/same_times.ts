import { runName } from "@/runs/read_ledger.ts";
import { sealed } from "@/runs/seal.ts";
import type { LedgerEntry, LedgerLine } from "@/schema/ledger_line.ts";

/** A ledger as if all of it had been made in one moment by one maker; every checksum follows from that. */
export function sameTimes(text: string): string {
  const seals = new Map<string, string>();
  return text.split("\n").filter((line) => line !== "").map((line) => {
    const { check: _, ...body } = JSON.parse(line) as LedgerLine;
    const chain = body.kind === "declared" ? "declared" : runName(body as LedgerEntry);
    const one = { ...body, ...("at" in body && { at: "" }), ...("made" in body && { made: {} }) };
    const next = sealed(one, seals.get(chain));
    seals.set(chain, next.check);
    return `${next.text}\n`;
  }).join("");
}
