-- What goes back to a supplier. refused: the receipt did not take it in, so that sending it back moves no stock.
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
  reason text not null,
  note text,
  unit_price integer,
  lot text
) strict;
create index supplier_return_lines_document on supplier_return_lines (document_id, position);
create index supplier_return_lines_product on supplier_return_lines (product_id, document_id);
create index supplier_return_lines_receipt on supplier_return_lines (receipt_line_id) where receipt_line_id is not null;
