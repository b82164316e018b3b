-- Pictures of Z-readings: what was read from them is kept to be judged again, and a picture may come without its store.

-- The readings of all passes over a reading's picture (larder_tillread::Votes), and the day a user filed it for. Judged
-- again when more is known of the till.
create table z_reading_votes (
  reading_id text primary key references z_readings (id),
  business_date integer,
  votes json not null
) strict;

-- Pictures sent without a store, until their machine number or a user tells which till they show; then they are readings.
-- stores are those of the sender when it was sent, null for all: only their tills are found by the machine number.
create table z_pictures (
  id text primary key,
  picture text not null,
  file_name text not null,
  state text not null check (state in ('reading', 'asks', 'placed', 'discarded')),
  business_date integer,
  min text,
  read json,
  votes json,
  stores json,
  reading_id text references z_readings (id),
  sent_by text not null,
  revision integer not null,
  created_at integer not null,
  created_by json not null
) strict;
create unique index z_pictures_waiting on z_pictures (sent_by, picture) where state in ('reading', 'asks');
create index z_pictures_state on z_pictures (state, created_at, id);
