-- Services: long work that answers one question, run by hand or on a schedule. The job of a run has its progress.

-- state is 'open' until the run ends; while it is open its job says whether it waits or runs. due_at: the time of the
-- schedule that started it; of two nodes that start one, the key lets one. all_stores false: service_run_stores lists them.
create table service_runs (
  id text primary key,
  service text not null,
  job_id text not null,
  state text not null check (state in ('open', 'done', 'failed', 'cancelled')),
  due_at integer,
  all_stores boolean not null,
  asked json not null,
  outcome json,
  error text,
  created_at integer not null,
  created_by json not null,
  finished_at integer
) strict;
create index service_runs_service on service_runs (service, id);
create unique index service_runs_due on service_runs (service, due_at);

-- The stores of a run that is not for all of them.
create table service_run_stores (
  run_id text not null references service_runs (id),
  store_id text not null,
  primary key (run_id, store_id)
) strict, without rowid;

-- When a service runs by itself: minutes after midnight in UTC+8, weekdays as bits from Monday on. Without a row the
-- service's own default holds.
create table service_schedules (
  service text primary key,
  enabled boolean not null,
  minutes integer not null,
  weekdays integer not null,
  revision integer not null,
  updated_at integer not null,
  updated_by json not null
) strict;
