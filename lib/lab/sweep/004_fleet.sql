-- Workers that say that they are there, a sweep's state, and the rights of those that only read or only work.

-- A process that works, or waits for work; it says so every few seconds.
create table worker (
  id uuid primary key,
  name text not null,
  seen timestamptz not null default clock_timestamp()
);

-- Null while its runs may be worked on.
alter table sweep add column hold text check (hold in ('paused', 'cancelled'));

-- Tells what a call of unknown outcome cost, so that its maximum does not count any longer; names its sweep. None where the
-- call is not there, or its cost is known.
create function tell_cost(of_call uuid, usd numeric) returns text language sql as $$
  with told as (
    update call set cost = usd where id = of_call and state = 'unknown' and cost is null returning sweep, at_most
  )
  update sweep set set_aside = set_aside - coalesce(told.at_most - usd, 0) from told where name = told.sweep returning name
$$;

-- What workers do with runs, tries and lines goes through functions alone, by the rights of the tables' owner.
alter function begin_calls(jsonb) security definer set search_path = chaos_lab, pg_temp;
alter function end_calls(jsonb) security definer set search_path = chaos_lab, pg_temp;
alter function claim_run(bigint, bigint, text) security definer set search_path = chaos_lab, pg_temp;
alter function take_permits(text, double precision) security definer set search_path = chaos_lab, pg_temp;
-- They know the run of a call: to delete runs, no calls are searched.
alter table call drop constraint call_run_fkey;

-- Lets a role read: `status`, `gather`, `readStore`. Tables that its owner makes later are among them.
create function grant_reader(role regrole) returns void language plpgsql as $$
begin
  execute format('grant usage on schema chaos_lab to %s', role);
  execute format('grant select on all tables in schema chaos_lab to %s', role);
  execute format('alter default privileges in schema chaos_lab grant select on tables to %s', role);
end $$;

-- Lets a role work. It appends lines by the functions above, and can neither alter nor delete one; nor can it change a budget,
-- a cost or a fence. The queue is the workers' own.
create function grant_worker(role regrole) returns void language plpgsql as $$
begin
  perform grant_reader(role);
  execute format('grant insert, update, delete on worker to %s', role);
  execute format('grant insert on ledger, run, call to %s', role);
  execute format('grant update (plan, declaration, wanted, seal) on ledger to %s', role);
  execute format('grant update (state, cause, job) on run to %s', role);
  execute format('grant update (revision) on run_count to %s', role);
  execute format('grant update (state, ended) on call to %s', role);
  execute format('grant update (set_aside) on sweep to %s', role);
  execute format('grant delete on refund to %s', role);
  execute format('grant usage on schema chaos_lab_queue to %s', role);
  execute format('grant select, insert, update, delete on all tables in schema chaos_lab_queue to %s', role);
end $$;
