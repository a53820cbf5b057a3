-- Nothing on the way of a call or of a look reads what grows with the sweep: counters, indexes, and declarations in batches.
-- Lines have checksums.

-- The job of a run in pg-boss's queue, so that it is found by its key.
alter table run add column job uuid;
-- How many runs a ledger is to have. It is being declared while it has fewer: whoever works on it puts the others there.
alter table ledger add column wanted integer not null default 0;
update ledger set wanted = (select count(*) from run where run.ledger = ledger.id);
-- The SHA-256 of its name, a line end and its declaration; null in what a version before this one declared.
alter table ledger add column seal text;
create index ledger_of_queue on ledger (queue);
do $$ begin
  if to_regclass('chaos_lab_queue.job') is null then return; end if;
  update run set job = held.id from (
    select distinct on (data ->> 'run') (data ->> 'run')::bigint as run, id from chaos_lab_queue.job
    order by data ->> 'run', created_on desc
  ) held where held.run = run.id;
  update chaos_lab_queue.job set priority = 1 where state in ('active', 'retry');
end $$;

create index run_unsettled on run (ledger, state) where state in ('running', 'open');
drop index call_sent;
create index call_sent on call (sweep, run) where state = 'sent';
create index call_unknown on call (sweep, run, began) include (place) where state = 'unknown';
create index call_answered on call (run) where state = 'answered';
drop index call_of_sweep;

-- Checksums of lines, chained within a file of a run: the SHA-256, in hexadecimal digits, of the checksum of the line before
-- (empty at first) followed by the text. Null in lines that a version before this one wrote: they are unsealed.
alter table line add column seal text;
-- The end of each chain: how many lines it has, how many of them are unsealed, and the last checksum. So a line that is
-- missing at the end shows too.
create table chain (
  run bigint not null references run on delete cascade,
  file text not null,
  lines integer not null,
  unsealed integer not null,
  seal text,
  primary key (run, file)
) with (fillfactor = 70);
insert into chain select run, file, count(*), count(*), null from line group by run, file;

-- Runs of a ledger by state. `revision` changes with every change of a run's state and with every line that is not a run's own:
-- while no run waits or is under way, a ledger of the same revision has the same lines.
create table run_count (
  ledger integer primary key references ledger on delete cascade,
  waiting integer not null default 0,
  running integer not null default 0,
  closed integer not null default 0,
  open integer not null default 0,
  flagged integer not null default 0,
  -- Answered calls of closed runs.
  answered bigint not null default 0,
  revision uuid not null default gen_random_uuid()
) with (fillfactor = 20);

-- Calls of a sweep by worker. A worker has several rows, of which each connection writes another: none waits for another.
create table call_count (
  sweep text not null references sweep on delete cascade,
  worker text not null,
  slot integer not null,
  sent bigint not null default 0,
  answered bigint not null default 0,
  failed bigint not null default 0,
  unknown bigint not null default 0,
  -- US$: what calls cost, or can have cost at most; of it, that of calls without a reported cost.
  usd numeric not null default 0,
  at_most numeric not null default 0,
  -- Calls that have neither.
  unpriced bigint not null default 0,
  seen timestamptz,
  -- Calls answered in the minute that began at `minute`, and in the one before; `first`: when the first was.
  minute timestamptz not null default '-infinity',
  lately integer not null default 0,
  before integer not null default 0,
  first timestamptz,
  primary key (sweep, worker, slot)
) with (fillfactor = 20);

-- Count rows that are there now, and no longer those that were. The triggers count by the rights of the tables' owner, whoever
-- works.
create function count_runs(added run[], removed run[]) returns void language sql as $$
  insert into run_count as held (ledger, waiting, running, closed, open, flagged, answered)
  select ledger, coalesce(sum(sign) filter (where state = 'waiting'), 0),
    coalesce(sum(sign) filter (where state = 'running'), 0), coalesce(sum(sign) filter (where state = 'closed'), 0),
    coalesce(sum(sign) filter (where state = 'open'), 0), coalesce(sum(sign) filter (where state = 'flagged'), 0),
    coalesce(sum(sign * (select count(*) from call where call.run = x.id and call.state = 'answered'))
      filter (where state = 'closed'), 0)
  from (select 1 as sign, * from unnest(added) union all select -1, * from unnest(removed)) x
  group by ledger order by ledger
  on conflict (ledger) do update set waiting = held.waiting + excluded.waiting, running = held.running + excluded.running,
    closed = held.closed + excluded.closed, open = held.open + excluded.open, flagged = held.flagged + excluded.flagged,
    answered = held.answered + excluded.answered, revision = gen_random_uuid()
$$;

create function count_calls(added call[], removed call[]) returns void language sql as $$
  insert into call_count as held
  select sweep, worker, pg_backend_pid() % 8, coalesce(sum(sign) filter (where state = 'sent'), 0),
    coalesce(sum(sign) filter (where state = 'answered'), 0), coalesce(sum(sign) filter (where state = 'failed'), 0),
    coalesce(sum(sign) filter (where state = 'unknown'), 0), coalesce(sum(sign * coalesce(cost, at_most)), 0),
    coalesce(sum(sign * at_most) filter (where cost is null), 0),
    coalesce(sum(sign) filter (where cost is null and at_most is null), 0), max(coalesce(ended, began)),
    date_trunc('minute', clock_timestamp()),
    -- Those that this transaction settled.
    count(*) filter (where sign = 1 and state = 'answered' and ended >= now()), 0,
    min(ended) filter (where state = 'answered')
  from (select 1 as sign, * from unnest(added) union all select -1, * from unnest(removed)) x
  group by sweep, worker order by sweep, worker
  on conflict (sweep, worker, slot) do update set sent = held.sent + excluded.sent,
    answered = held.answered + excluded.answered, failed = held.failed + excluded.failed,
    unknown = held.unknown + excluded.unknown, usd = held.usd + excluded.usd, at_most = held.at_most + excluded.at_most,
    unpriced = held.unpriced + excluded.unpriced, seen = greatest(held.seen, excluded.seen),
    minute = excluded.minute,
    lately = excluded.lately + case held.minute when excluded.minute then held.lately else 0 end,
    before = case held.minute when excluded.minute then held.before
      when excluded.minute - interval '1 minute' then held.lately else 0 end,
    first = least(held.first, excluded.first)
$$;

create function count_changes() returns trigger language plpgsql
security definer set search_path = chaos_lab, pg_temp as $$
begin
  case tg_table_name || ' ' || tg_op
    when 'run INSERT' then perform count_runs(array(select (added.*)::run from added), null);
    when 'run UPDATE' then
      perform count_runs(array(select (added.*)::run from added), array(select (removed.*)::run from removed));
    when 'run DELETE' then perform count_runs(null, array(select (removed.*)::run from removed));
    when 'call INSERT' then perform count_calls(array(select (added.*)::call from added), null);
    when 'call UPDATE' then
      perform count_calls(array(select (added.*)::call from added), array(select (removed.*)::call from removed));
    when 'call DELETE' then perform count_calls(null, array(select (removed.*)::call from removed));
  end case;
  return null;
end $$;

create trigger added after insert on run referencing new table as added for each statement execute function count_changes();
create trigger changed after update on run referencing old table as removed new table as added
  for each statement execute function count_changes();
create trigger removed after delete on run referencing old table as removed for each statement execute function count_changes();
create trigger added after insert on call referencing new table as added for each statement execute function count_changes();
create trigger changed after update on call referencing old table as removed new table as added
  for each statement execute function count_changes();
create trigger removed after delete on call referencing old table as removed for each statement execute function count_changes();

-- What was there before.
insert into run_count (ledger) select id from ledger;
select count_runs(array_agg(run), null) from run group by ledger;
select count_calls(array_agg(call), null) from call group by run, sweep;

-- As in 001, but that what is accepted is written down in one statement, which counts it.
create or replace function begin_calls(items jsonb) returns table (id uuid, verdict text) language plpgsql as $$
#variable_conflict use_column
declare item record; paid uuid[] := '{}'; going text;
begin
  for item in
    select * from jsonb_to_recordset(items) as x(
      id uuid, sweep text, run bigint, fence bigint, place text, model text, worker text, "atMost" numeric
    ) order by sweep, run
  loop
    id := item.id;
    verdict := 'go';
    if item.run is not null then
      perform from run where run.id = item.run and run.fence = item.fence and run.state = 'running' for share;
      if not found then verdict := 'fenced'; end if;
    end if;
    if verdict = 'go' and not exists (select from call where call.id = item.id) then
      verdict := set_aside(item.sweep, item."atMost");
      if verdict = 'go' then
        paid := paid || item.id;
        going := item.sweep;
      elsif going = item.sweep then
        verdict := 'wait';
      end if;
    end if;
    return next;
  end loop;
  insert into call (id, sweep, run, place, model, worker, at_most)
  select id, sweep, run, place, model, worker, "atMost" from jsonb_to_recordset(items) as x(
    id uuid, sweep text, run bigint, place text, model text, worker text, "atMost" numeric
  ) where id = any(paid);
end $$;

-- As in 001, with lines as {file, n, text, seal}, and each of its steps for all items at once.
create or replace function end_calls(items jsonb) returns table (i bigint, verdict text) language plpgsql as $$
#variable_conflict use_column
begin
  perform pg_advisory_xact_lock_shared(hashtext('cap ' || sweep)) from (
    select distinct sweep from call where id = any(array(select call from jsonb_to_recordset(items) as x(call uuid)))
  ) of_calls;
  return query with item as (
    select * from rows from (jsonb_to_recordset(items) as (
      run bigint, fence bigint, call uuid, outcome text, cost numeric, lines jsonb, state text, cause text
    )) with ordinality as x(run, fence, call, outcome, cost, lines, state, cause, i)
  ), held as (
    select id, fence from run where id = any(array(select run from item)) order by id for update
  ), told as (
    select item.*, coalesce(held.fence = item.fence, false) as kept from item left join held on held.id = item.run
  ), settled as (
    update call set cost = told.cost, ended = clock_timestamp(), state = case when kept then outcome else 'unknown' end
    from told where call.id = any(array(select item.call from item)) and call.id = told.call and (call.state = 'sent' or (call.state = 'unknown' and call.cost is null))
    returning call.sweep, at_most - call.cost as usd
  ), given as (
    insert into refund select sweep, usd from settled join sweep on name = sweep where usd is not null and cap is not null
  ), written as (
    insert into line (run, file, n, text, seal)
    select told.run, x.* from told, jsonb_to_recordset(lines) as x(file text, n integer, text text, seal text)
    where kept order by 1, 2, 3 on conflict do nothing
    returning run, file, n, seal
  ), chained as (
    insert into chain (run, file, lines, unsealed, seal)
    select run, file, max(n) + 1, count(*) filter (where seal is null), (array_agg(seal order by n desc))[1]
    from written group by run, file order by run, file
    on conflict (run, file) do update set lines = excluded.lines, unsealed = chain.unsealed + excluded.unsealed,
      seal = coalesce(excluded.seal, chain.seal)
  ), closed as (
    update run set state = told.state, cause = told.cause from told
    where run.id = any(array(select item.run from item where item.state is not null))
      and run.id = told.run and kept and told.state is not null
  )
  select told.i, case when kept then 'kept' else 'fenced' end from told;
end $$;

-- Appends a line that is not a run's own.
create function append_line(of_run bigint, of_file text, of_text text) returns void language sql
security definer set search_path = chaos_lab, pg_temp as $$
  with ends as (
    insert into chain as held (run, file, lines, unsealed, seal)
    values (of_run, of_file, 1, 0, encode(sha256(convert_to(of_text, 'UTF8')), 'hex'))
    on conflict (run, file) do update set lines = held.lines + 1,
      seal = encode(sha256(convert_to(coalesce(held.seal, '') || of_text, 'UTF8')), 'hex')
    returning lines, seal
  ), revised as (
    update run_count set revision = gen_random_uuid() where ledger = (select ledger from run where id = of_run)
  )
  insert into line (run, file, n, text, seal) select of_run, of_file, lines - 1, of_text, seal from ends
$$;

-- As in 001. What was claimed once goes before all that was not, if its worker dies: so its job has precedence from now on.
create or replace function claim_run(of_run bigint, of_fence bigint, of_worker text)
returns table (state text, unknown text[]) language plpgsql as $$
#variable_conflict use_column
declare held run; here ledger;
begin
  select * into held from run where run.id = of_run for update;
  if not found or held.state not in ('waiting', 'running') or held.fence > of_fence
    or (held.fence = of_fence and held.worker is distinct from of_worker) then
    return query select held.state, array[]::text[] where held.fence <= of_fence;
    return;
  end if;
  select * into here from ledger where ledger.id = held.ledger;
  update call set state = 'unknown', ended = clock_timestamp()
  where call.sweep = here.sweep and call.run = of_run and call.state = 'sent';
  update run set fence = of_fence, worker = of_worker, state = 'running' where run.id = of_run;
  update chaos_lab_queue.job set priority = 1 where job.name = here.queue and job.id = held.job and priority = 0;
  return query select 'running', coalesce(array_agg(place order by began), array[]::text[])
    from call where call.sweep = here.sweep and call.run = of_run and call.state = 'unknown';
end $$;
