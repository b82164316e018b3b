-- When a source delivers to a store: weekdays as bits from Monday on, and until when orders have to be in.
create table delivery_calendars (
  store_id text not null references locations (id),
  source_type text not null check (source_type in ('commissary', 'warehouse', 'supplier')),
  source_id text not null,
  weekdays integer not null,
  cutoff_days integer not null,
  cutoff_minutes integer not null,
  skip_holidays boolean not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json not null,
  primary key (store_id, source_type, source_id)
) strict;
create index delivery_calendars_source on delivery_calendars (source_id, source_type);
