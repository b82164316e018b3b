-- What receipts say beside their lines: who ate, what was taken off by law, what was taxed.

-- Sums of a till's receipts on a store-day, amounts in centavos; terminal_id is empty where the source names no till.
-- Discounts, returns and voids are positive. Of a source that has lines only, a store-day has no row here. Written by
-- the sales book and nothing else.
create table sales_day_facts (
  store_id text not null,
  business_date integer not null,
  source text not null,
  terminal_id text not null,
  receipts integer not null,
  pax integer not null,
  gross integer not null,
  net integer not null,
  senior integer not null,
  pwd integer not null,
  naac integer not null,
  solo_parent integer not null,
  valor integer not null,
  employee integer not null,
  vip integer not null,
  promo integer not null,
  other_discount integer not null,
  vatable integer not null,
  vat integer not null,
  exempt integer not null,
  zero_rated integer not null,
  service_charge integer not null,
  local_tax integer not null,
  returns integer not null,
  voids integer not null,
  primary key (store_id, business_date, source, terminal_id)
) strict, without rowid;
