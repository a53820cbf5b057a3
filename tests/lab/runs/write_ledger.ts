import { LedgerWriter } from "@/record/ledger_writer.ts";
import { declared } from "./ledgers.ts";

/** Writes one line to the ledger named on the command line, in a process that may open devices; prints the refusal. */

try {
  using writer = LedgerWriter.open(Deno.args[0]!);
  writer.append(JSON.stringify(declared()));
} catch (error) {
  await new Blob([`${(error as Error).name}: ${(error as Error).message}`]).stream().pipeTo(Deno.stdout.writable);
}
