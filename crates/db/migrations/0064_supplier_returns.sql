-- What goes back to a supplier. refused: the receipt did not take it in, so that sending it back moves no stock.
-- moved: base units taken out of stock when it was sent.
create table supplier_return_lines (
  id text primary key,
  document_id text not null references documents (id),
  position integer not null,
  product_id text not null references products (id),
  sku text,
  name text not null,
  uom_id text not null references uoms (id),
  uom_code text not null,
  factor integer not null,
  receipt_line_id text references receipt_lines (id),
  refused boolean not null,
  qty integer not null,
  moved integer not null,
  reason text not null,
  note text,
  unit_price integer,
  lot text
) strict;
create index supplier_return_lines_document on supplier_return_lines (document_id, position);
create index supplier_return_lines_product on supplier_return_lines (product_id, document_id);
create index supplier_return_lines_receipt on supplier_return_lines (receipt_line_id) where receipt_line_id is not null;

-- The place that each return leaves, as a use of it: a kitchen with returns is not deleted.
create table supplier_return_places (
  document_id text primary key references documents (id),
  place_kind text not null,
  place_id text not null
) strict, without rowid;
create index supplier_return_places_place on supplier_return_places (place_id, place_kind);
