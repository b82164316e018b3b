-- Store locations, framed as the lists of 0002 are.

-- Areas, weights, volumes, rates and percents are decimals in millionths; dates are business days.
create table locations (
  id text primary key,
  name text not null,
  name_key text not null,
  code text,
  code_key text,
  store_format_id text references store_formats (id),
  company_id text,
  lessor text,
  netsuite_company_name text,
  netsuite_location_name text,
  netsuite_location_internal_id text,
  netsuite_class_name text,
  netsuite_class_internal_id text,
  netsuite_customer_name text,
  netsuite_customer_id text,
  netsuite_customer_internal_id text,
  pos_branch_name text,
  opening_date integer,
  pos_code text,
  terminal_id text,
  pos_terminals json not null,
  store_area_m2 integer,
  dining_capacity_pax integer,
  frozen_storage_kg integer,
  dry_storage_cbm integer,
  regional_area_id text references regional_areas (id),
  operational_area_id text references operational_areas (id),
  price_level_id text references price_levels (id),
  lead_time_days integer not null,
  review_time_days integer not null,
  rent_cost_per_sqm integer,
  rent_percent integer,
  cusa_cost_per_sqm integer,
  aircon_cost_per_sqm integer,
  other_charges_cost_per_sqm integer,
  electricity_rate_kwh integer,
  water_rate_m3 integer,
  lease_start_date integer,
  street_address text,
  city text,
  province text,
  postal_code text,
  country text,
  inactive boolean not null,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index locations_name_key on locations (name_key);
create unique index locations_code_key on locations (code_key);
create index locations_store_format_id on locations (store_format_id);
create index locations_regional_area_id on locations (regional_area_id);
create index locations_operational_area_id on locations (operational_area_id);
create index locations_price_level_id on locations (price_level_id);

-- Every till of a store, from its posCode and terminalId and its posTerminals: imports find the store by it.
-- Written with its location, never alone. A code without a terminal has an empty terminal_id.
create table location_terminals (
  location_id text not null references locations (id),
  pos_code text not null,
  terminal_id text not null,
  primary key (pos_code, terminal_id)
) strict;
create index location_terminals_location on location_terminals (location_id);
create index location_terminals_terminal on location_terminals (terminal_id);
