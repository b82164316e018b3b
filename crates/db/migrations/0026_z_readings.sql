-- Z-readings: what a till said at its day's end, as typed or read from a picture, and what became of it.

-- How a till counts: written by the book of readings and nothing else. basis says what the accumulated grand total
-- grows by, vat whether the VATable figure has the tax in it. template is the layout it was taught (larder_tillread).
create table z_terminals (
  store_id text not null references locations (id),
  terminal_id text not null,
  basis text not null check (basis in ('net', 'gross')),
  vat text not null check (vat in ('inclusive', 'exclusive')),
  min text,
  serial text,
  ptu text,
  tin text,
  template json,
  revision integer not null,
  updated_at integer not null,
  updated_by json not null,
  primary key (store_id, terminal_id)
) strict, without rowid;

-- Amounts are centavos; discounts, voids and returns are positive. A figure is null until somebody or something has
-- read it; a verified reading has every one that its till prints. picture is the file's key, read what was read from it
-- with each field's confidence and place; steps is who took which step when, oldest first.
create table z_readings (
  id text primary key,
  store_id text not null references locations (id),
  terminal_id text not null,
  state text not null check (state in ('captured', 'needsReview', 'verified', 'reconciled', 'disputed', 'discarded')),
  source text not null check (source in ('typed', 'picture', 'api')),
  business_date integer not null,
  began_at integer,
  ended_at integer,
  min text,
  serial text,
  ptu text,
  tin text,
  first_si text,
  last_si text,
  first_void text,
  last_void text,
  first_return text,
  last_return text,
  transactions integer,
  z_counter integer,
  reset_counter integer not null,
  previous_total integer,
  present_total integer,
  gross integer,
  net integer,
  vatable integer,
  vat integer,
  exempt integer,
  zero_rated integer,
  senior integer,
  pwd integer,
  naac integer,
  solo_parent integer,
  valor integer,
  other_discount integer,
  voids integer,
  returns integer,
  vat_adjustment integer,
  service_charge integer,
  opening_fund integer,
  withdrawals integer,
  payments_received integer,
  cash_in_drawer integer,
  short_over integer,
  tenders json not null,
  picture text,
  read json,
  reason text,
  notes text,
  steps json not null,
  search_key text not null,
  revision integer not null,
  created_at integer not null,
  created_by json not null,
  updated_at integer not null,
  updated_by json not null
) strict;
create unique index z_readings_counter on z_readings (store_id, terminal_id, reset_counter, z_counter) where z_counter is not null and state <> 'discarded';
create index z_readings_day on z_readings (store_id, business_date, terminal_id);
create index z_readings_state on z_readings (state, business_date, id);
create index z_readings_date on z_readings (business_date, id);
