import { known } from "../core/options.ts";
import { accountCalls } from "../deliberation/account_calls.ts";
import { writeAtomically } from "../record/files.ts";
import type { Ledger } from "../record/read_ledger.ts";
import type { StationFolder } from "../station/read_station_folder.ts";

/** Figures to check before believing runs; shares are in [0, 1], and absent where there is nothing to take a share of. */
export interface AuditRow {
  readonly name: string;
  readonly runs: number;
  readonly calls: number;
  /** Replies that a configured key was cut out of; absent where none is on record. */
  readonly redacted?: number;
  /** Calls whose reply has no words. */
  readonly emptyShare?: number;
  /** Runs in which one seat was answered by more than one model or fingerprint. */
  readonly heterogeneousShare?: number;
  /** Turns of the station that the clerk took because no usable action came; committees have no fallback. */
  readonly fallbackShare?: number;
}

const share = (part: number, whole: number): number | undefined => whole === 0 ? undefined : part / whole;

/** The audit of a committee's condition. */
export function auditLedger(ledger: Ledger): AuditRow {
  const { runs, declaration: { name } } = ledger;
  const { calls, heterogeneousRuns } = accountCalls(ledger);
  let [empty, redacted] = [0, 0];
  for (const { events } of runs) {
    for (const event of events) {
      if (!("reading" in event)) continue;
      if (event.reading.kind === "missing" && event.reading.code === "empty") empty++;
      if (event.reply?.redacted) redacted++;
    }
  }
  const shares = { emptyShare: share(empty, calls), heterogeneousShare: share(heterogeneousRuns, runs.length) };
  return { name, runs: runs.length, calls, ...known({ redacted: redacted || undefined, ...shares }) };
}

/** The audit of a council's runs of the station. */
export function auditStation(name: string, runs: readonly Pick<StationFolder, "calls" | "events">[]): AuditRow {
  const calls = runs.flatMap((run) => run.calls);
  const empty = calls.filter(({ failure, reply }) => failure?.code === "empty" || reply?.text.trim() === "");
  const heterogeneous = runs.filter(({ calls }) =>
    Map.groupBy(calls, ({ request }) => request.model).values().some((own) =>
      new Set(own.flatMap(({ reply }) => reply ? [`${reply.servedModel} ${reply.fingerprint}`] : [])).size > 1
    )
  );
  const turns = runs.flatMap(({ events }) => events.filter((event) => event.kind === "action.taken"));
  const fallen = turns.filter(({ origin }) => origin.kind === "fallback");
  const shares = {
    redacted: calls.filter(({ reply, failure }) => (reply ?? failure?.received)?.redacted).length || undefined,
    emptyShare: share(empty.length, calls.length),
    heterogeneousShare: share(heterogeneous.length, runs.length),
    fallbackShare: share(fallen.length, turns.length),
  };
  return { name, runs: runs.length, calls: calls.length, ...known(shares) };
}

const WORDS = [
  ["empty", "emptyShare"],
  ["of runs heterogeneous", "heterogeneousShare"],
  ["of turns fallback", "fallbackShare"],
] as const;

/** Keeps an audit beside the runs, and gives it in words, one line a condition or council. */
export async function audited(root: string, rows: readonly AuditRow[]): Promise<string> {
  await writeAtomically(`${root}/audit.json`, `${JSON.stringify({ schema: "audit/1", rows }, null, 2)}\n`);
  return rows.map(({ name, runs, calls, redacted, ...shares }) => {
    const cut = redacted === undefined ? "" : `, a configured key cut out of ${redacted} replies`;
    const words = WORDS.flatMap(([what, key]) =>
      shares[key] === undefined ? [] : [`, ${Number((100 * shares[key]).toPrecision(2))} % ${what}`]
    );
    return `audit of ${name}: ${calls} calls in ${runs} runs${cut}${words.join("")}`;
  }).join("\n");
}
