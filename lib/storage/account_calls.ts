import type { Ledger } from "./read_ledger.ts";

/** One model as asked for and as served; an endpoint may answer with another than it was asked for. */
export interface ServedModel {
  readonly asked: string;
  readonly served?: string;
  readonly fingerprint?: string;
  readonly calls: number;
}

/** What a condition's calls took, over all attempts, failed ones included: they were paid for too. */
export interface CallAccounting {
  readonly calls: number;
  /** Calls without a usable reply. */
  readonly failed: number;
  /** Tries that failed before a reply came. */
  readonly retries: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Replies whose tokens the endpoint did not tell: not in the sums, and not zero. */
  readonly withoutUsage: number;
  readonly served: readonly ServedModel[];
  /** Runs in which one seat was answered by more than one model or fingerprint. */
  readonly heterogeneousRuns: number;
}

/** Call accounting from the ledger alone: tokens, retries, and who really answered. */
export function accountCalls({ declaration: { condition }, runs }: Ledger): CallAccounting {
  const totals = { calls: 0, failed: 0, retries: 0, promptTokens: 0, completionTokens: 0, withoutUsage: 0 };
  const served = new Map<string, ServedModel>();
  let heterogeneousRuns = 0;
  for (const { events } of runs) {
    const makers = new Map<number, Set<string>>();
    for (const event of events) {
      if (!("seat" in event)) continue;
      const { seat, reply } = event;
      totals.calls++;
      if (event.reading.kind === "missing") totals.failed++;
      if (reply === undefined) continue;
      totals.retries += reply.failedTries?.length ?? 0;
      if (reply.usage === undefined) totals.withoutUsage++;
      totals.promptTokens += reply.usage?.promptTokens ?? 0;
      totals.completionTokens += reply.usage?.completionTokens ?? 0;
      const { servedModel, fingerprint } = reply;
      const key = JSON.stringify([condition.seats[seat]!.model, servedModel, fingerprint]);
      served.set(key, {
        asked: condition.seats[seat]!.model,
        ...(servedModel !== undefined && { served: servedModel }),
        ...(fingerprint !== undefined && { fingerprint }),
        calls: (served.get(key)?.calls ?? 0) + 1,
      });
      makers.set(seat, (makers.get(seat) ?? new Set()).add(key));
    }
    if ([...makers.values()].some(({ size }) => size > 1)) heterogeneousRuns++;
  }
  return { ...totals, served: [...served.values()], heterogeneousRuns };
}
