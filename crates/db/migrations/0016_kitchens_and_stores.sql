-- Why a line of an order got what it got, where what there was was shared out.
alter table order_lines add column share json;

-- A kitchen's batch: what was made (side made, one line) and what went into it (side used). Quantities are in the line's
-- unit; actual is empty until somebody says. root_item_id is the root item of the recipe that a used line covers.
create table production_lines (
  id text primary key,
  document_id text not null references documents (id),
  position integer not null,
  product_id text not null references products (id),
  sku text,
  name text not null,
  uom_id text not null references uoms (id),
  uom_code text not null,
  factor integer not null,
  side text not null,
  root_item_id text,
  planned integer not null,
  actual integer,
  lot text,
  expiry integer
) strict;
create index production_lines_document on production_lines (document_id, position);
create index production_lines_product on production_lines (product_id, document_id);

-- What a store threw away. unit_price is what one of the unit costs the store.
create table waste_lines (
  id text primary key,
  document_id text not null references documents (id),
  position integer not null,
  product_id text not null references products (id),
  sku text,
  name text not null,
  uom_id text not null references uoms (id),
  uom_code text not null,
  factor integer not null,
  qty integer not null,
  reason text not null,
  note text,
  unit_price integer,
  lot text
) strict;
create index waste_lines_document on waste_lines (document_id, position);
create index waste_lines_product on waste_lines (product_id, document_id);

-- Above what it is worth waste waits for approval; none: it never does.
create table waste_settings (
  id text primary key,
  approval_above integer,
  revision integer not null,
  updated_at integer not null,
  updated_by json
) strict;

-- Pictures that go with documents. They come before their document, since a device may be without a network between.
create table document_photos (
  id text primary key,
  store_id text not null references locations (id),
  fingerprint text not null,
  created_at integer not null,
  created_by json not null
) strict;
