-- What a unit of a root item costs, in centavos, from a day on; null: it has no price from then on. The row of 1970-01-01
-- holds for all days before the next one. source: start (before prices were kept), set (entered by a user), import or
-- receipt (accepted by a user). root_items.price is the price of today. Rows go with their root item.
create table root_item_prices (
  root_item_id text not null,
  from_date integer not null,
  price integer,
  source text not null check (source in ('start', 'set', 'import', 'receipt')),
  receipt_id text references documents (id),
  reason text,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json,
  primary key (root_item_id, from_date)
) strict, without rowid;

insert into root_item_prices (root_item_id, from_date, price, source, revision, created_at, updated_at, updated_by)
  select id, 0, price, 'start', 1, created_at, updated_at, updated_by from root_items where price is not null;
