-- Long work: claimed under a lease, continued from its checkpoint, stopped when asked.

create table jobs (
  id text primary key,
  kind text not null,
  unique_key text,
  state text not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  args json not null,
  done integer not null,
  total integer not null,
  message text not null,
  checkpoint json,
  result json,
  error text,
  cancel_requested boolean not null,
  attempts integer not null,
  lease_owner text,
  lease_until integer not null,
  created_at integer not null,
  started_at integer,
  finished_at integer,
  actor json not null
) strict;

create index jobs_open on jobs (state, created_at);
create unique index jobs_unique on jobs (unique_key);

-- The answer to a request that carried an Idempotency-Key, given again when it is retried.
create table idempotency_keys (
  uid text not null,
  key text not null,
  operation text not null,
  body_hash text not null,
  status integer not null,
  body json not null,
  created_at integer not null,
  primary key (uid, key)
) strict;

create index idempotency_keys_age on idempotency_keys (created_at);
