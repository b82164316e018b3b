-- What is counted in a kitchen, warehouse or cold storage, and what the ledger had at that time.
--
-- counted is in the line's unit, null until it is counted; book and difference are base units, null until posted. op
-- and typed_at: which device sent the number, and when it was typed. area: the storage requirement's name, as it was.
create table stock_take_lines (
  id text primary key,
  document_id text not null references documents (id),
  position integer not null,
  product_id text not null references products (id),
  sku text,
  name text not null,
  uom_id text not null references uoms (id),
  uom_code text not null,
  factor integer not null,
  area text,
  lot text,
  expiry integer,
  counted integer,
  counted_at integer,
  counted_by text,
  op text,
  typed_at integer,
  note text,
  book integer,
  difference integer,
  worth integer
) strict;
create index stock_take_lines_document on stock_take_lines (document_id, position);
create index stock_take_lines_product on stock_take_lines (product_id, document_id);
