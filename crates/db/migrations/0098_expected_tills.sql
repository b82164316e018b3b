-- Which tills have to have a reading on a day.

-- A reading may cover the days before its own: the first of them, or null for its day only.
alter table z_readings add column covers_from integer;

-- The day from which a till is no longer used, and whether it prints readings at all (a delivery app's does not); null
-- stands for true.
alter table z_terminals add column off_from integer;
alter table z_terminals add column prints boolean;

-- Days for which a user recorded that a till has no reading and never will; terminal_id '' stands for a store none of
-- whose tills is known.
create table z_absences (
  store_id text not null references locations (id),
  business_date integer not null,
  terminal_id text not null,
  reason text not null,
  created_at integer not null,
  created_by json not null,
  primary key (store_id, business_date, terminal_id)
) strict, without rowid;

-- The first day of a till, by its readings and by its sales.
create index z_readings_till on z_readings (store_id, terminal_id, business_date, state);
create index sales_tills_till on sales_tills (store_id, terminal_id, business_date);
