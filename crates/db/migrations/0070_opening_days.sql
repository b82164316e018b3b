-- The weekdays on which a store opens, as bits from Monday on, from a day on. Before its first row a store opens every day.
create table opening_days (
  store_id text not null references locations (id),
  from_date integer not null,
  weekdays integer not null check (weekdays between 1 and 127),
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json not null,
  primary key (store_id, from_date)
) strict;
