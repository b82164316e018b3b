-- When the business day of a store begins, in minutes after midnight (UTC+8), from a day on. Before its first row it begins at
-- midnight. A row with 0 says that it was asked or set: midnight it is.
create table store_day_starts (
  store_id text not null references locations (id),
  from_date integer not null,
  minutes integer not null check (minutes between 0 and 720 and minutes % 15 = 0),
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json not null,
  primary key (store_id, from_date)
) strict;
