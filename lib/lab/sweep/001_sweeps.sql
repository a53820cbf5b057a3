-- One row a sweep, a ledger, a run, a line and a try. The queue of runs is pg-boss's, in a schema of its own.

create table sweep (
  name text primary key,
  unknown text not null check (unknown in ('ask-again', 'flag')),
  -- The most that may be spent, in US$; null without limit. `set_aside` is what may have been spent at most: it is raised
  -- before a try is sent, and lowered by `refund` when nothing is left of the cap.
  cap numeric,
  set_aside numeric not null default 0
);

create table ledger (
  id integer generated always as identity primary key,
  sweep text not null references sweep,
  -- Its file's or folder's name, and the queue in which its runs wait.
  name text not null,
  queue text not null,
  -- What a worker needs to plan the same from its own files.
  plan text not null,
  -- JSON as it opens the ledger's file; as text, so that the order of its fields stays.
  declaration text not null,
  unique (sweep, name)
);

create table run (
  id bigint generated always as identity primary key,
  ledger integer not null references ledger,
  replicate integer not null,
  -- `open`: a call stayed without an answer. `flagged`: closed because a call's fate is unknown.
  state text not null default 'waiting' check (state in ('waiting', 'running', 'closed', 'open', 'flagged')),
  cause text,
  -- Which claim of the run may write: later claims have larger numbers.
  fence bigint not null default -1,
  worker text,
  unique (ledger, replicate)
);

-- A line of the run's files, whole but for its number and checksum, which `gather` gives it.
create table line (
  run bigint not null references run,
  file text not null,
  n integer not null,
  text text not null,
  primary key (run, file, n)
);

-- One try of a call, written before it is sent. `unknown`: its worker lost the run before it told what became of it.
create table call (
  id uuid primary key,
  sweep text not null references sweep,
  -- Null for the question that is put to every model before the first run.
  run bigint references run,
  place text not null,
  model text not null,
  worker text not null,
  state text not null default 'sent' check (state in ('sent', 'answered', 'failed', 'unknown')),
  -- US$; null where the model has no price. What it did cost is null until somebody told.
  at_most numeric,
  cost numeric,
  began timestamptz not null default clock_timestamp(),
  ended timestamptz
);
create index call_sent on call (run) where state = 'sent';
create index call_of_sweep on call (sweep, ended);

-- What tries gave back of what was set aside for them. New rows, so that settling a try waits for no other.
create table refund (sweep text not null, usd numeric not null);
create index refund_of_sweep on refund (sweep);

-- When a provider may be asked next, whoever asks.
create table pace (provider text primary key, next timestamptz not null);

-- Sets money aside: 'go'; 'wait' while tries under way may give some back; 'stop' where none can.
create function set_aside(of_sweep text, usd numeric) returns text language plpgsql as $$
declare purse sweep;
begin
  -- Held off by a change of the cap, and holding it off.
  perform pg_advisory_xact_lock_shared(hashtext('cap ' || of_sweep));
  if usd is null or (select cap is null from sweep where name = of_sweep) then
    return 'go';
  end if;
  select * into purse from sweep where name = of_sweep for update;
  if purse.set_aside + usd > purse.cap then
    with gone as (delete from refund where sweep = of_sweep returning refund.usd)
    select purse.set_aside - coalesce(sum(gone.usd), 0) into purse.set_aside from gone;
    update sweep set set_aside = purse.set_aside where name = of_sweep;
  end if;
  if purse.set_aside + usd <= purse.cap then
    update sweep set set_aside = purse.set_aside + usd where name = of_sweep;
    return 'go';
  end if;
  return case when exists (select from call where sweep = of_sweep and state = 'sent') then 'wait' else 'stop' end;
end $$;

-- Writes down tries before they are sent: {id, sweep, run, fence, place, model, worker, atMost}. Told again, it says again
-- what it said. 'fenced': the run was taken over.
create function begin_calls(items jsonb) returns table (id uuid, verdict text) language plpgsql as $$
#variable_conflict use_column
declare item record;
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
        insert into call (id, sweep, run, place, model, worker, at_most)
        values (item.id, item.sweep, item.run, item.place, item.model, item.worker, item."atMost");
      end if;
    end if;
    return next;
  end loop;
end $$;

-- Settles tries and appends lines, each run's in one piece: {run, fence, call, outcome, cost, lines: [{file, n, text}],
-- state, cause}. Of a try whose run was taken over meanwhile nothing is kept but its cost.
create function end_calls(items jsonb) returns table (i bigint, verdict text) language plpgsql as $$
#variable_conflict use_column
declare item record; kept boolean; settled record;
begin
  for item in
    select * from rows from (jsonb_to_recordset(items) as (
      run bigint, fence bigint, call uuid, outcome text, cost numeric, lines jsonb, state text, cause text
    )) with ordinality as x(run, fence, call, outcome, cost, lines, state, cause, ordinal) order by run, ordinal
  loop
    i := item.ordinal;
    perform from run where run.id = item.run and run.fence = item.fence for update;
    kept := found;
    verdict := case when kept then 'kept' else 'fenced' end;
    if item.call is not null then
      update call set cost = item.cost, ended = clock_timestamp(),
        state = case when kept then item.outcome else 'unknown' end
      where call.id = item.call and (state = 'sent' or (state = 'unknown' and cost is null))
      returning sweep, at_most - item.cost as usd into settled;
      if found and settled.usd is not null then
        perform pg_advisory_xact_lock_shared(hashtext('cap ' || settled.sweep));
        insert into refund select settled.sweep, settled.usd from sweep where name = settled.sweep and cap is not null;
      end if;
    end if;
    if kept then
      insert into line (run, file, n, text)
      select item.run, file, n, text from jsonb_to_recordset(item.lines) as x(file text, n integer, text text)
      on conflict do nothing;
      if item.state is not null then
        update run set state = item.state, cause = item.cause where run.id = item.run;
      end if;
    end if;
    return next;
  end loop;
end $$;

-- Takes a run for one claim, unless a later claim has it. Tries that an earlier claim left in flight become unknown.
create function claim_run(of_run bigint, of_fence bigint, of_worker text)
returns table (state text, unknown text[]) language plpgsql as $$
#variable_conflict use_column
begin
  update run set fence = of_fence, worker = of_worker, state = 'running'
  where run.id = of_run and run.state in ('waiting', 'running')
    and (run.fence < of_fence or (run.fence = of_fence and run.worker = of_worker));
  if not found then
    return query select run.state, array[]::text[] from run where run.id = of_run and run.fence <= of_fence;
    return;
  end if;
  update call set state = 'unknown', ended = clock_timestamp() where call.run = of_run and call.state = 'sent';
  return query select 'running', coalesce(array_agg(place order by began), array[]::text[])
    from call where call.run = of_run and call.state = 'unknown';
end $$;

-- Permits to ask a provider, evenly spaced over `ms` milliseconds from the moment that is given: so many from now.
create function take_permits(of_provider text, ms double precision) returns double precision language plpgsql as $$
declare begins timestamptz;
begin
  insert into pace values (of_provider, clock_timestamp()) on conflict do nothing;
  update pace set next = greatest(next, clock_timestamp()) + ms * interval '1 millisecond'
  where provider = of_provider returning next - ms * interval '1 millisecond' into begins;
  return greatest(0, 1000 * extract(epoch from begins - clock_timestamp()));
end $$;
