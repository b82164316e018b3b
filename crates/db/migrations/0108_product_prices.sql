-- What one selling unit of a product costs at a price level, in centavos, from a day on; null: it has no price there from
-- then on. The row of 1970-01-01 holds for all days before the next one. source: start (before prices were kept), set
-- (entered by a user) or import. A product and level without rows have the price of products.price_level_prices on all
-- days; else that is the price of today. Rows go with their product and their level.
create table product_prices (
  product_id text not null,
  price_level_id text not null,
  from_date integer not null,
  price integer,
  source text not null check (source in ('start', 'set', 'import')),
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json,
  primary key (product_id, price_level_id, from_date)
) strict, without rowid;
create index product_prices_level on product_prices (price_level_id);
