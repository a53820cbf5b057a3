import { sum } from "d3-array";
import { known } from "../core/options.ts";
import { UserError } from "../core/user_error.ts";
import type { Database } from "./database.ts";
import { GONE_MS, STATE, type SweepState } from "./manage.ts";

export type SweepStatus = Awaited<ReturnType<typeof sweepStatus>>;

/**
 * The progress of a sweep, by the store alone.
 *
 * @returns its `state`; `runs` and `calls` by state; `workers`, those of the store that gave a sign of life lately, each with the runs of
 * this sweep that it holds (`running`), the calls that it settled and when it was last `seen`; `usd`, of it `atMost` for calls without a reported cost, and `capUsd`; `unpriced`, the calls of models
 * without a price, whose cost is not in the sum; `perSecond`, calls answered in the last minute; `secondsLeft` at that rate, by
 * the mean calls of a closed run.
 * @throws {UserError} where there is no such sweep.
 */
export async function sweepStatus(database: Database, sweep: string) {
  const rows = <Row>(text: string): Promise<Row[]> => database.query<Row>(text, [sweep]);
  const [declared] = await rows<{ cap: string | null; state: SweepState }>(
    `select cap, ${STATE} as state from sweep where name = $1`,
  );
  if (!declared) throw new UserError(`${database.shown} holds no sweep ${sweep}`, { exitCode: 2 });
  const runs = await rows<{ state: string; count: number }>(
    `select state, count(*)::int as count from run join ledger on ledger.id = run.ledger where sweep = $1 group by state`,
  );
  const calls = await rows<{ state: string; count: number; usd: number; most: number; unpriced: number }>(
    `select state, count(*)::int as count, coalesce(sum(coalesce(cost, at_most)), 0)::float as usd,
       coalesce(sum(at_most) filter (where cost is null), 0)::float as most,
       (count(*) filter (where at_most is null and cost is null))::int as unpriced
     from call where sweep = $1 group by state`,
  );
  const workers = await rows<{ worker: string; running: number; calls: number; seen: Date }>(
    `select name as worker, max(seen) as seen,
       (select count(*)::int from call where sweep = $1 and call.worker = name and call.state <> 'sent') as calls,
       (select count(*)::int from run join ledger on ledger.id = run.ledger
        where sweep = $1 and run.worker = name and run.state = 'running') as running
     from worker where seen > clock_timestamp() - ${GONE_MS} * interval '1 millisecond' group by name order by name`,
  );
  const [lately] = await rows<{ answered: number; seconds: number; mean: number | null }>(
    `select count(*)::int as answered,
       extract(epoch from clock_timestamp() - greatest(min(ended), clock_timestamp() - interval '1 minute'))::float as seconds,
       (select count(*)::float / nullif(count(distinct run), 0) from call join run on run.id = call.run
        where call.sweep = $1 and run.state = 'closed' and call.state = 'answered') as mean
     from call where sweep = $1 and state = 'answered' and ended > clock_timestamp() - interval '1 minute'`,
  );
  const byState = counts(runs, ["waiting", "running", "closed", "open", "flagged"]);
  const perSecond = lately!.answered > 0 ? lately!.answered / Math.max(1, lately!.seconds) : undefined;
  const left = byState.waiting + byState.running;
  return {
    state: declared.state,
    runs: byState,
    calls: counts(calls, ["sent", "answered", "failed", "unknown"]),
    workers,
    ...{ usd: sum(calls, (one) => one.usd), atMost: sum(calls, (one) => one.most) },
    unpriced: sum(calls, (one) => one.unpriced),
    ...known({
      capUsd: declared.cap === null ? undefined : Number(declared.cap),
      perSecond,
      secondsLeft: perSecond && lately!.mean !== null ? left * lately!.mean / perSecond : undefined,
    }),
  };
}

function counts<State extends string>(rows: readonly { state: string; count: number }[], states: readonly State[]) {
  const count = (state: State) => rows.find((row) => row.state === state)?.count ?? 0;
  return Object.fromEntries(states.map((state) => [state, count(state)])) as Record<State, number>;
}
