-- What a store orders again and again, under a name; items: product, unit and quantity.
create table order_templates (
  id text primary key,
  store_id text not null references locations (id),
  name text not null,
  name_key text not null,
  items json not null,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index order_templates_name on order_templates (store_id, name_key);
