-- Who changed what, when and from where; never edited, never deleted.
create table audit (
  seq sequence primary key,
  at integer not null,
  uid text not null,
  name text not null,
  email text not null,
  origin text not null,
  kind text not null,
  record_id text not null,
  store_id text,
  action text not null check (action in ('created', 'updated', 'deleted')),
  changes json not null
) strict;

create index audit_record on audit (kind, record_id, seq);
create index audit_at on audit (at);
create index audit_uid on audit (uid, seq);
create index audit_store on audit (store_id, seq) where store_id is not null;

-- A job that lost to others several times takes this table for itself and then cannot lose.
-- postgres: create table write_gate ();
