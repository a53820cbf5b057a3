-- What may be called by whom, sums that can be none, and how many runs a ledger ever had.

-- Sums in US$ are no less than nothing, and numbers: NaN is more than any. What is there by now is not looked at.
alter table call add constraint call_usd check (at_most between 0 and 1e12 and cost between 0 and 1e12) not valid;
-- A bill above its maximum gives back less than nothing; of the counters of one worker, one takes off what another added.
alter table refund add constraint refund_usd check (usd between -1e12 and 1e12) not valid;
alter table call_count add constraint call_count_usd check (usd between -1e12 and 1e12 and at_most between -1e12 and 1e12) not valid;
-- The sum was not kept while there was no cap.
update sweep set set_aside = greatest(0, (select coalesce(sum(usd), 0) from call_count where sweep = name))
where not set_aside between 0 and 1e12;
alter table sweep add constraint sweep_usd check (cap between 0 and 1e12 and set_aside between 0 and 1e12) not valid;

-- As in 004, but that no sum falls below zero where it is not kept, for there is no cap.
create or replace function tell_cost(of_call uuid, usd numeric) returns text language sql as $$
  with told as (
    update call set cost = usd where id = of_call and state = 'unknown' and cost is null returning sweep, at_most
  )
  update sweep set set_aside = greatest(0, set_aside - coalesce(told.at_most - usd, 0)) from told where name = told.sweep
  returning name
$$;

-- How many runs of a ledger were ever put into the queue: one of them that is not there has vanished.
alter table ledger add column made integer not null default 0;
update ledger set made = least(wanted, (select coalesce(max(replicate) + 1, 0) from run where run.ledger = ledger.id));

create or replace function count_changes() returns trigger language plpgsql
security definer set search_path = chaos_lab, pg_temp as $$
begin
  case tg_table_name || ' ' || tg_op
    when 'run INSERT' then
      perform count_runs(array(select (added.*)::run from added), null);
      update ledger set made = greatest(made, least(wanted, last))
      from (select added.ledger as id, max(replicate) + 1 as last from added group by 1) put where put.id = ledger.id;
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

-- As in 004, with the functions by which a role works.
create or replace function grant_worker(role regrole) returns void language plpgsql as $$
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
  execute format('grant execute on function begin_calls, end_calls, claim_run, append_line, take_permits to %s', role);
  execute format('grant usage on schema chaos_lab_queue to %s', role);
  execute format('grant select, insert, update, delete on all tables in schema chaos_lab_queue to %s', role);
end $$;

-- Nobody else calls them: several act by the rights of the tables' owner. A later version's new functions need the same.
revoke execute on all functions in schema chaos_lab from public;
-- Roles that work already go on.
do $$
declare role regrole;
begin
  for role in
    select distinct grantee::regrole from pg_class, aclexplode(relacl)
    where pg_class.oid = 'worker'::regclass and privilege_type = 'INSERT' and grantee not in (0, relowner)
  loop
    perform grant_worker(role);
  end loop;
end $$;
