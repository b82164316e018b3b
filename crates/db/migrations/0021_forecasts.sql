-- Forecasts: what runs said, what people said instead, and the days that are not like others.
-- Days are counted from 1970-01-01, quantities people enter are millionths, factors billionths; estimates are floating.

-- A run of a forecast service (its id is that of service_runs). first_day: the first day that was forecast. whole: all
-- stores and items. finished false: the run is under way, or was given up.
create table forecast_runs (
  run_id text primary key,
  service text not null,
  method text not null,
  version text not null,
  made_on integer not null,
  history_from integer not null,
  first_day integer not null,
  horizon integer not null,
  level real not null,
  whole boolean not null,
  finished boolean not null
) strict;
create index forecast_runs_service on forecast_runs (service, finished, first_day);
create index forecast_runs_first_day on forecast_runs (first_day);

-- One series of a run: store × root item. packed: horizon figures each of forecast, lower and upper bound, four bytes a
-- figure; nothing where no forecast was made, which note explains. scale: mean change against the week before. replaced:
-- what people had said instead by then, a figure or null a day. details: class, candidates, origins and other errors.
create table forecast_series (
  run_id text not null references forecast_runs (run_id),
  store_id text not null,
  root_item_id text not null,
  method text not null,
  klass text,
  history_days integer not null,
  need_days integer not null,
  short_history boolean not null,
  per_day real not null,
  total real not null,
  wape real,
  bias real,
  mase real,
  coverage real,
  scale real,
  note text,
  packed blob,
  replaced json,
  details json not null,
  primary key (run_id, store_id, root_item_id)
) strict;
create index forecast_series_item on forecast_series (store_id, root_item_id);

-- What people know better: so much a day of an item in a store, from a day to a day. Removed ones stay for the record.
create table forecast_overrides (
  id text primary key,
  store_id text not null references locations (id),
  root_item_id text not null references root_items (id),
  from_day integer not null,
  to_day integer not null,
  qty integer not null,
  reason text not null,
  removed boolean not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json not null
) strict;
create index forecast_overrides_series on forecast_overrides (store_id, root_item_id);
create index forecast_overrides_item on forecast_overrides (root_item_id);

-- Promotions and closures that people enter, and the factors they set for days that are known anyway (holidays, paydays),
-- whose ids are made of their date. all_stores false: forecast_event_stores lists them. area_id: of that area instead.
create table forecast_events (
  id text primary key,
  name text not null,
  kind text not null check (kind in ('payday', 'holiday', 'promotion', 'closure')),
  from_day integer not null,
  to_day integer not null,
  all_stores boolean not null,
  area_id text,
  factor integer,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json not null
) strict;
create index forecast_events_day on forecast_events (from_day);

create table forecast_event_stores (
  event_id text not null references forecast_events (id),
  store_id text not null references locations (id),
  primary key (event_id, store_id)
) strict, without rowid;
create index forecast_event_stores_store on forecast_event_stores (store_id);
