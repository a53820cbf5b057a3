import { checkOptions } from "../core/options.ts";
import { UserError } from "../core/user_error.ts";
import { conditionName } from "../deliberation/condition_name.ts";
import { conditionHash } from "../deliberation/deliberate.ts";
import { reread } from "../deliberation/reread.ts";
import type { LedgerRun } from "./ledger_run.ts";
import type { Ledger } from "./read_ledger.ts";

/**
 * A ledger's runs as another parser reads the same words: see `reread`. Its condition, name and hash are those of a run under
 * that parser; the file stays as it is.
 *
 * A run that ends where the other parser needs a request that was never sent counts as missing, cause `never_asked`. Damaged
 * runs stay as they are.
 *
 * @throws {UserError} on a ledger of continuations, whose beginning was read by the run that they continue.
 *
 * @example λ̂ of the same words, read strictly and with the normaliser
 * ```ts ignore
 * const ledger = await readLedger(path);
 * const both = [false, true].map((normaliser) => conditionRuns(rereadLedger(ledger, { normaliser })));
 * const slopes = both.map(({ runs }) => measureRuns(runs.map(({ means }) => means)).lambda);
 * ```
 */
export function rereadLedger(ledger: Ledger, options: { readonly normaliser: boolean }): Ledger {
  const { normaliser } = checkOptions("rereadLedger", options, "normaliser!");
  const { path, declaration } = ledger;
  if (declaration.base) {
    throw new UserError(`${path} continues another run and cannot be read again alone; name a ledger of whole runs`);
  }
  const { normaliser: _, ...strict } = declaration.condition;
  const condition = normaliser ? { ...strict, normaliser } as const : strict;
  const [hash, name] = [conditionHash(condition), conditionName(condition)];
  if (hash === declaration.hash) return ledger;
  const runs = ledger.runs.map((run): LedgerRun => {
    if (run.damaged) return run;
    const { replicate, attempt, unanswered } = run;
    const events = reread(run.events, condition);
    const last = events.at(-1)!;
    const closed = last.kind === "run.closed" ? last : run.closed && NEVER_ASKED;
    return { replicate, attempt, unanswered, events, ...(closed && { closed }) };
  });
  return { ...ledger, declaration: { ...declaration, condition, hash, name }, runs };
}

/** Nobody knows what would have been said; no event says so, since none was made. */
const NEVER_ASKED = { kind: "run.closed", outcome: "flagged", cause: "never_asked" } as const;
