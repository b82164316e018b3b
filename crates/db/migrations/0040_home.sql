-- Home and notifications: what each person arranged, has seen and wants to be told. What waits is kept nowhere: it is
-- worked out from the records themselves.

-- tiles: names in their order; hidden: names of those put away. seen_at: when they last looked; since_at: when the visit
-- before this one ended, so that «since you were last here» stays the same while they look.
create table home_pages (
  uid text primary key references accounts (uid),
  tiles json not null,
  hidden json not null,
  seen_at integer,
  since_at integer
) strict;

-- What somebody has read, by kind and thing. A thing that waits since after read_at is news again.
create table notification_reads (
  uid text not null references accounts (uid),
  kind text not null,
  item text not null,
  read_at integer not null,
  primary key (uid, kind, item)
) strict, without rowid;

-- muted: kinds somebody does not want to be told of. digest_hour: from 0 to 23 in UTC+8; last_digest: the day of the last
-- letter, by which of two nodes one writes it.
create table notification_settings (
  uid text primary key references accounts (uid),
  muted json not null,
  digest boolean not null,
  digest_hour integer not null check (digest_hour between 0 and 23),
  last_digest integer,
  updated_at integer not null
) strict;
create index notification_settings_digest on notification_settings (digest, digest_hour);
