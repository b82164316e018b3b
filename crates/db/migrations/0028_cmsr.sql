-- Leases, and the monthly sales reports that stores swear to their lessors.

-- What a store pays for its place from a day on. terms is larder_domain::cmsr::Terms.
create table leases (
  id text primary key,
  store_id text not null references locations (id),
  valid_from integer not null,
  valid_to integer,
  terms json not null,
  notes text not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json not null
) strict;
create index leases_store on leases (store_id, valid_from);

-- What somebody says of a day beside its readings: that the store was closed, or other figures ({figure: amount}).
create table cmsr_days (
  store_id text not null references locations (id),
  business_date integer not null,
  closed boolean not null,
  corrections json not null,
  reason text not null,
  revision integer not null,
  updated_at integer not null,
  updated_by json not null,
  primary key (store_id, business_date)
) strict, without rowid;

-- Certified months, a row a version. made_of is the readings it was made of, each with its revision; content the days,
-- the foot and the terms as they were certified; changes what the version before said otherwise.
create table cmsr_versions (
  store_id text not null references locations (id),
  month integer not null,
  version integer not null,
  state text not null check (state in ('certified', 'submitted', 'amended')),
  certified_name text not null,
  certified_position text not null,
  certified_at integer not null,
  certified_by json not null,
  submitted_at integer,
  submitted_by json,
  amended_at integer,
  amended_by json,
  amend_reason text,
  digest text not null,
  net_sales integer not null,
  rent integer not null,
  made_of json not null,
  content json not null,
  changes json not null,
  revision integer not null,
  primary key (store_id, month, version)
) strict, without rowid;
create index cmsr_versions_month on cmsr_versions (month);

-- How a lessor wants the report printed: {title, columns: [{figure, title}], note}.
create table cmsr_layouts (
  lessor_key text primary key,
  lessor text not null,
  layout json not null,
  revision integer not null,
  updated_at integer not null,
  updated_by json not null
) strict, without rowid;
