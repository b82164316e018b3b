-- What goes to NetSuite: how files are laid out, which records went, and what NetSuite said of them.

-- The columns and words of a layout, once somebody has changed them.
create table netsuite_mappings (
  layout text primary key,
  mapping json not null,
  revision integer not null,
  updated_at integer not null,
  updated_by json not null
) strict, without rowid;

-- Files that were made. files is [{name, key, records, rows, bytes}].
create table netsuite_exports (
  id text primary key,
  layout text not null,
  first_day integer not null,
  last_day integer not null,
  stores json not null,
  records integer not null,
  files json not null,
  created_at integer not null,
  created_by json not null
) strict;
create index netsuite_exports_created on netsuite_exports (created_at);

-- A store's day as a record: its name is given once and stays. digest is of what was exported, so that a reading that
-- changed afterwards is seen.
create table netsuite_records (
  layout text not null,
  store_id text not null references locations (id),
  business_date integer not null,
  external_id text not null,
  state text not null check (state in ('exported', 'confirmed', 'failed')),
  message text not null,
  export_id text not null references netsuite_exports (id),
  total integer not null,
  digest text not null,
  exported_at integer not null,
  answered_at integer,
  primary key (layout, store_id, business_date)
) strict, without rowid;
create unique index netsuite_records_name on netsuite_records (external_id);
