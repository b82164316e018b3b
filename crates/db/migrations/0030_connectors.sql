-- Connectors: sales read from where they lie, or taken as they are pushed.

-- settings: how it is read, without secrets. secrets: sealed, a JSON object of name and value; secrets_set says which there
-- are and since when. cursor_day: the last day up to which everything was read. minutes and weekdays as in service_schedules.
create table connectors (
  id text primary key,
  kind text not null check (kind in ('api', 'w3p', 'bigquery')),
  name text not null,
  name_key text not null,
  settings json not null,
  secrets text,
  secrets_set json not null,
  paused boolean not null,
  scheduled boolean not null,
  minutes integer not null,
  weekdays integer not null,
  cursor_day integer,
  last_due integer,
  revision integer not null,
  created_at integer not null,
  created_by json not null,
  updated_at integer not null,
  updated_by json not null
) strict;
create unique index connectors_name on connectors (kind, name_key);

-- A run: open until it ends; its job is at work or waits. cause: hand, schedule, retry, push, file.
create table connector_runs (
  id text primary key,
  connector_id text not null references connectors (id),
  job_id text not null,
  state text not null check (state in ('open', 'done', 'partly', 'failed', 'cancelled')),
  cause text not null,
  asked json not null,
  lines integer not null,
  repeated integer not null,
  pages integer not null,
  days_new integer not null,
  days_replaced integer not null,
  days_unchanged integer not null,
  put_aside integer not null,
  next_try_at integer,
  words text not null,
  created_at integer not null,
  created_by json not null,
  finished_at integer
) strict;
create index connector_runs_of on connector_runs (connector_id, id);
create index connector_runs_open on connector_runs (state, id);

-- What a run did, line by line, for people.
create table connector_log (
  run_id text not null references connector_runs (id) on delete cascade,
  seq integer not null,
  at integer not null,
  level text not null check (level in ('info', 'warning', 'error')),
  words text not null,
  primary key (run_id, seq)
) strict, without rowid;

-- What could not be taken. unit: the day or days, the delivery or the file. raw: what came, cut to 64 KiB; file_key: where
-- the whole of a delivery is kept until it is settled. stores: names that stand for no store.
create table connector_letters (
  id text primary key,
  connector_id text not null references connectors (id),
  run_id text not null,
  unit text not null,
  what text not null check (what in ('day', 'delivery', 'file')),
  reason text not null,
  raw text not null,
  raw_cut boolean not null,
  file_key text,
  stores json not null,
  state text not null check (state in ('open', 'taken', 'discarded')),
  created_at integer not null,
  settled_at integer,
  settled_by json
) strict;
create index connector_letters_of on connector_letters (connector_id, state, id);

-- Deliveries that were pushed: one id is taken once.
create table connector_deliveries (
  connector_id text not null references connectors (id),
  delivery_id text not null,
  sha256 text not null,
  run_id text not null,
  received_at integer not null,
  primary key (connector_id, delivery_id)
) strict, without rowid;

-- Files in a watched folder as they were last seen: one that no longer changes is taken.
create table connector_files (
  connector_id text not null references connectors (id),
  name text not null,
  size integer not null,
  modified_at integer not null,
  seen_at integer not null,
  primary key (connector_id, name)
) strict, without rowid;

-- Keys with which tills push sales. hash: of the whole key, which is shown once; begins: its first letters, to be told
-- apart by. all_stores false: push_key_stores lists them.
create table push_keys (
  id text primary key,
  name text not null,
  name_key text not null,
  begins text not null,
  hash text not null unique,
  all_stores boolean not null,
  created_at integer not null,
  created_by json not null,
  last_used_at integer,
  revoked_at integer,
  revoked_by json
) strict;
create unique index push_keys_name on push_keys (name_key);

create table push_key_stores (
  key_id text not null references push_keys (id),
  store_id text not null references locations (id),
  primary key (key_id, store_id)
) strict, without rowid;
