-- Weekly snapshots: how the stock of root items moved in stores, week by week. Written by the snapshot book and nothing
-- else. week is its Monday. Quantities are millionths of root units.

-- A week that was made. made_at is when its figures were reckoned, compared_at when they were last held against what they
-- would be now. Once frozen its rows stay as they are.
create table snapshot_weeks (
  week integer primary key,
  made_at integer not null,
  made_by json not null,
  compared_at integer,
  frozen_at integer,
  frozen_by json,
  revision integer not null
) strict;

-- opening + received + transfers_in - transfers_out - waste - actual_use = closing; variance is theoretical_use less
-- actual_use. What is not known is null. variance_value: the variance in centavos at the price of that time.
create table root_item_snapshots (
  week integer not null,
  store_id text not null,
  root_item_id text not null,
  opening integer,
  received integer not null,
  transfers_in integer not null,
  transfers_out integer not null,
  waste integer not null,
  theoretical_use integer not null,
  closing integer,
  actual_use integer,
  variance integer,
  variance_value integer,
  primary key (week, store_id, root_item_id)
) strict, without rowid;

-- What the last reckoning of a store's week found to be other than the figures before it: of a frozen week, other than
-- its rows.
create table snapshot_differences (
  week integer not null,
  store_id text not null,
  root_item_id text not null,
  figure text not null,
  was integer,
  now integer,
  primary key (week, store_id, root_item_id, figure)
) strict, without rowid;
