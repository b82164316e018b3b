-- The replenishment plan: what it goes by, and what it came to, kept whole. Written by the book of plans.
--
-- Quantities are millionths (shares, too: a service level of 95% is 950000), amounts centavos, days business days.

-- What somebody said for a store, a category, a product, or a product in a store; for nothing of these: for all.
create table plan_rules (
  id text primary key,
  store_id text references locations (id),
  category_id text references categories (id),
  product_id text references products (id),
  service_level integer,
  min_qty integer,
  max_qty integer,
  review_days integer,
  lead_days integer,
  shelf_life_days integer,
  method text,
  priority integer,
  percent integer,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json not null
) strict;
create unique index plan_rules_place on plan_rules (coalesce(store_id, ''), coalesce(category_id, ''), coalesce(product_id, ''));
create index plan_rules_category on plan_rules (category_id) where category_id is not null;
create index plan_rules_product on plan_rules (product_id) where product_id is not null;
create index plan_rules_store on plan_rules (store_id) where store_id is not null;

-- A run of the service, by its id. forecast_run_id: the forecast that it used; none where it made its own.
create table plan_runs (
  id text primary key,
  plan_date integer not null,
  made_at integer not null,
  forecast_run_id text
) strict;
create index plan_runs_date on plan_runs (plan_date, id);

-- What a run came to for a store. A store's newest plan is the one of its latest run. revision counts the orders made of it.
create table plan_stores (
  run_id text not null references plan_runs (id),
  store_id text not null,
  plan_date integer not null,
  made_at integer not null,
  note text,
  lines integer not null,
  to_order integer not null,
  at_risk integer not null,
  capped integer not null,
  amount integer not null,
  revision integer not null,
  primary key (run_id, store_id)
) strict, without rowid;
create index plan_stores_store on plan_stores (store_id, plan_date, run_id);
create index plan_stores_date on plan_stores (plan_date, store_id, run_id);

-- What could not be planned, and what to do about it.
create table plan_notes (
  run_id text not null references plan_runs (id),
  position integer not null,
  store_id text,
  product_id text,
  root_item_id text,
  why text not null,
  primary key (run_id, position)
) strict, without rowid;

-- A store's product in a plan, as it was: nothing here changes any more but order_id, the order that was made of it. Figures
-- are in the root item's unit, unit; suggested is in uom_id. ahead: the forecast and what arrives, a figure a day.
create table plan_lines (
  id text primary key,
  run_id text not null references plan_runs (id),
  store_id text not null,
  product_id text not null,
  name text not null,
  sku text,
  root_item_id text not null,
  unit text,
  uom_id text not null,
  uom_code text not null,
  factor integer not null,
  root_factor integer not null,
  lead_days integer not null,
  review_days integer not null,
  service_level integer not null,
  method text not null,
  forecast integer not null,
  safety_stock integer not null,
  target integer not null,
  on_hand integer not null,
  in_transit integer not null,
  on_order integer not null,
  committed integer not null,
  position integer not null,
  pack integer not null,
  share integer not null,
  suggested integer not null,
  cover_days integer,
  stock_out_date integer,
  at_risk boolean not null,
  caps json not null,
  needed_date integer not null,
  source_type text not null,
  source_id text not null,
  amount integer,
  why json not null,
  ahead json not null,
  note text,
  search_key text not null,
  order_id text
) strict;
create index plan_lines_store on plan_lines (run_id, store_id);
create index plan_lines_product on plan_lines (product_id, run_id);
create index plan_lines_order on plan_lines (order_id) where order_id is not null;

-- The plan that a line's suggestion comes from.
alter table order_lines add column plan_run_id text;
