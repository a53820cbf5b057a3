import { UserError } from "../../core/user_error.ts";
import type { Database } from "./database.ts";

/** How far a sweep has come. */
export interface SweepStatus {
  readonly runs: Readonly<Record<"waiting" | "running" | "closed" | "open" | "flagged", number>>;
  readonly calls: Readonly<Record<"sent" | "answered" | "failed" | "unknown", number>>;
  /** By worker: runs that it holds, calls that it settled, and when it was last heard of. */
  readonly workers: readonly {
    readonly worker: string;
    readonly running: number;
    readonly calls: number;
    readonly seen: Date;
  }[];
  /** US$; `atMost` of it for tries whose cost nobody told. */
  readonly usd: number;
  readonly atMost: number;
  /** Tries of models without a price: theirs is not in the sum. */
  readonly unpriced: number;
  readonly capUsd?: number;
  /** Calls answered in the last minute, a second; absent where there were none. */
  readonly perSecond?: number;
  /** At that rate, by the mean calls of a closed run; absent while no run is closed. */
  readonly secondsLeft?: number;
}

/**
 * How far a sweep has come, by the store alone.
 *
 * @throws {UserError} where there is no such sweep.
 */
export async function sweepStatus(database: Database, sweep: string): Promise<SweepStatus> {
  const [declared] = await database.query<{ cap: string | null }>("select cap from sweep where name = $1", [sweep]);
  if (!declared) throw new UserError(`${database.shown} holds no sweep ${sweep}`, { exitCode: 2 });
  const runs = await database.query<{ state: string; count: number }>(
    `select state, count(*)::int as count from run join ledger on ledger.id = run.ledger where sweep = $1 group by state`,
    [sweep],
  );
  const calls = await database.query<{ state: string; count: number; usd: number; most: number; unpriced: number }>(
    `select state, count(*)::int as count, coalesce(sum(coalesce(cost, at_most)), 0)::float as usd,
       coalesce(sum(at_most) filter (where cost is null), 0)::float as most,
       (count(*) filter (where at_most is null and cost is null))::int as unpriced
     from call where sweep = $1 group by state`,
    [sweep],
  );
  const workers = await database.query<SweepStatus["workers"][number]>(
    `select worker, max(coalesce(ended, began)) as seen, (count(*) filter (where state <> 'sent'))::int as calls,
       (select count(*)::int from run join ledger on ledger.id = run.ledger
        where sweep = $1 and run.worker = call.worker and run.state = 'running') as running
     from call where sweep = $1 group by worker order by worker`,
    [sweep],
  );
  const [lately] = await database.query<{ answered: number; seconds: number; mean: number | null }>(
    `select count(*)::int as answered,
       extract(epoch from clock_timestamp() - greatest(min(ended), clock_timestamp() - interval '1 minute'))::float as seconds,
       (select count(*)::float / nullif(count(distinct run), 0) from call join run on run.id = call.run
        where call.sweep = $1 and run.state = 'closed' and call.state = 'answered') as mean
     from call where sweep = $1 and state = 'answered' and ended > clock_timestamp() - interval '1 minute'`,
    [sweep],
  );
  const count = (rows: readonly { state: string; count: number }[], state: string) =>
    rows.find((row) => row.state === state)?.count ?? 0;
  const runsBy = (state: string) => count(runs, state);
  const sum = (of: (row: typeof calls[number]) => number) => calls.reduce((total, row) => total + of(row), 0);
  const perSecond = lately!.answered > 0 ? lately!.answered / Math.max(1, lately!.seconds) : undefined;
  const left = runsBy("waiting") + runsBy("running");
  const secondsLeft = perSecond && lately!.mean !== null ? left * lately!.mean / perSecond : undefined;
  return {
    runs: {
      ...{ waiting: runsBy("waiting"), running: runsBy("running"), closed: runsBy("closed") },
      ...{ open: runsBy("open"), flagged: runsBy("flagged") },
    },
    calls: {
      ...{ sent: count(calls, "sent"), answered: count(calls, "answered") },
      ...{ failed: count(calls, "failed"), unknown: count(calls, "unknown") },
    },
    workers,
    ...{ usd: sum(({ usd }) => usd), atMost: sum(({ most }) => most), unpriced: sum(({ unpriced }) => unpriced) },
    ...(declared.cap !== null && { capUsd: Number(declared.cap) }),
    ...(perSecond !== undefined && { perSecond }),
    ...(secondsLeft !== undefined && { secondsLeft }),
  };
}
