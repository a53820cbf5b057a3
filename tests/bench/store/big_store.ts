import type { Database } from "@/lab/sweep/database.ts";
import { planSweep, type SweepPlan } from "@/lab/sweep/sweep_plan.ts";
import { declareSweep } from "@/lab/sweep/sweeps.ts";

/** A store as a sweep of a million calls leaves it: made by the database itself, not by running anything. */

/** Calls, and lines, of a run. */
const PER_RUN = 100;

/** Characters of a line's filling, so that it is as long as a reply's with its prompt. */
const FILLING = 900;

/** Declares a sweep of surrogate runs. */
export async function declareRuns(database: Database, name: string, runs: number): Promise<number> {
  const plan: SweepPlan = { wanted: [{ scenario: ["HL-01"] }], replicates: runs, seed: 1 };
  const { ledgers, providers, prices } = await planSweep(plan, { get: () => undefined });
  return (await declareSweep(database, { name, plan, ledgers, providers, prices })).put;
}

/** Runs that are filled together: their lines stand mixed, as workers write them. */
const TOGETHER = 500;

/** Declares a sweep and fills it with so many answered calls, and a line of each; its last ten runs still wait. */
export async function fillStore(database: Database, name: string, calls: number): Promise<void> {
  const runs = calls / PER_RUN;
  await declareRuns(database, name, runs + 10);
  for (let from = 0; from < runs; from += TOGETHER) {
    const values = [name, from, Math.min(runs, from + TOGETHER)];
    const done = `select run.id, replicate from run join ledger on ledger.id = run.ledger
      where sweep = $1 and replicate >= $2 and replicate < $3`;
    await database.transaction(async (tx) => {
      // Keys are right by construction; counters are kept below.
      await tx.query("set local session_replication_role = replica");
      await tx.query(
        `with fresh as (
           insert into call (id, sweep, run, place, model, worker, state, at_most, cost, began, ended)
           select gen_random_uuid(), $1, id, 'round ' || n || ', seat 1', 'a/model', 'worker ' || replicate % 4,
             'answered', 0.001, 0.0004, now() - interval '1 hour', now() - interval '1 hour'
           from (${done}) done, generate_series(1, ${PER_RUN}) n order by n, id returning *
         ) select count_calls(array_agg((fresh.*)::call), null) from fresh`,
        values,
      );
      await tx.query(
        `with recursive done as (${done}), step as (
           select id, replicate, 0 as n, x.text, encode(sha256(convert_to(x.text, 'UTF8')), 'hex') as seal
           from done, lateral (${LINE.replace("N", "0")}) x
           union all
           select id, replicate, n + 1, x.text, encode(sha256(convert_to(seal || x.text, 'UTF8')), 'hex')
           from step, lateral (${LINE.replace("N", "n + 1")}) x where n + 1 < ${PER_RUN}
         ), written as (
           insert into line (run, file, n, text, seal) select id, 'events', n, text, seal from step order by n, id
           returning run, n, seal
         )
         insert into chain select run, 'events', n + 1, 0, seal from written where n = ${PER_RUN} - 1`,
        values,
      );
      await tx.query("set local session_replication_role = origin");
      await tx.query(`update run set state = 'closed' where id in (select id from (${done}) done)`, values);
    });
  }
  await database.query("analyze");
}

const LINE = `select format(
  '{"schema":"deliberation-ledger/3","kind":"event","hash":"%s","replicate":%s,"attempt":1,"event":{"n":%s,"text":"%s"}}',
  md5($1), replicate, N, repeat(md5(id::text), ${Math.round(FILLING / 32)})
) as text`;
