-- Counts: everything that was ever counted, and what stands. Written by the count book and nothing else.
--
-- Quantities are millionths, date days from 1970-01-01, times milliseconds; session is 'opening', 'closing' or
-- empty for a day that is not parted.

-- Every save that arrived, under the name its device gave it: it is kept once, however often it was sent. qty is
-- null where the count was emptied. at is what the device's clock said, stands_at what that comes to by ours.
-- knowing: whoever made it saw what stood until then. Append-only; only what is held can be decided.
create table store_count_events (
  seq sequence primary key,
  op text not null,
  store_id text not null,
  date integer not null,
  session text not null check (session in ('', 'opening', 'closing')),
  item_id text not null,
  qty integer,
  note text,
  photo text,
  at integer not null,
  received_at integer not null,
  stands_at integer not null,
  device_id text not null,
  device_seq integer not null,
  base integer,
  prev text,
  late boolean not null,
  counted_by json not null,
  sent_by json not null,
  outcome text not null check (outcome in ('applied', 'superseded', 'held', 'declined')),
  knowing boolean not null,
  held_for text check (held_for in ('locked', 'window', 'scope', 'item')),
  held_reason text,
  decided_at integer,
  decided_by json,
  decision_note text
) strict;
create unique index store_count_events_op on store_count_events (op);
create index store_count_events_value on store_count_events (store_id, date, session, item_id, seq);
create index store_count_events_held on store_count_events (store_id, seq) where outcome = 'held';

-- What stands. An emptied count stays without a quantity, so that its revision goes on.
create table store_counts (
  store_id text not null,
  date integer not null,
  session text not null check (session in ('', 'opening', 'closing')),
  item_id text not null,
  qty integer,
  note text,
  photo text,
  revision integer not null,
  op text not null,
  stands_at integer not null,
  device_id text not null,
  device_seq integer not null,
  late boolean not null,
  counted_by json not null,
  updated_at integer not null,
  updated_by json not null,
  primary key (store_id, date, session, item_id)
) strict, without rowid;
create index store_counts_item on store_counts (store_id, item_id, date);

-- Who is counting, whether it was opened again, whether it is done.
create table store_count_sessions (
  store_id text not null,
  date integer not null,
  session text not null check (session in ('', 'opening', 'closing')),
  lease_uid text,
  lease_device text,
  lease_name text,
  lease_until integer,
  unlocked_at integer,
  unlocked_by json,
  unlock_reason text,
  finished_at integer,
  finished_by json,
  primary key (store_id, date, session)
) strict, without rowid;

-- Minutes of the day; past 1440 a window ends on the next day. outlier_factor has nine places.
create table store_count_settings (
  store_id text primary key,
  restrict_date boolean not null,
  time_lock_enabled boolean not null,
  enforce_time_window boolean not null,
  auto_session_by_time boolean not null,
  user_lock_enabled boolean not null,
  blind boolean not null,
  opening_from integer not null,
  opening_to integer not null,
  closing_from integer not null,
  closing_to integer not null,
  outlier_factor integer not null,
  revision integer not null,
  updated_at integer not null,
  updated_by json not null
) strict;

-- Nobody rewrites what was counted, not even by mistake.
-- sqlite: create trigger store_count_events_stay before update of seq, op, store_id, date, session, item_id, qty, note, photo, at, received_at, stands_at, device_id, device_seq, base, prev, late, counted_by, sent_by, held_for, held_reason on store_count_events begin select raise(abort, 'counts that arrived are never changed'); end;
-- sqlite: create trigger store_count_events_remain before delete on store_count_events begin select raise(abort, 'counts that arrived are never removed'); end;
-- postgres: create function store_count_events_refuse() returns trigger language plpgsql as $$ begin raise exception 'counts that arrived are never changed or removed'; end $$;
-- postgres: create trigger store_count_events_stay before update of seq, op, store_id, date, session, item_id, qty, note, photo, at, received_at, stands_at, device_id, device_seq, base, prev, late, counted_by, sent_by, held_for, held_reason on store_count_events for each row execute function store_count_events_refuse();
-- postgres: create trigger store_count_events_remain before delete on store_count_events for each row execute function store_count_events_refuse();
