-- Documents: a head, lines, a state. Heads of all types lie in one table, so that a number, a state or a search meets
-- one index; what only one type has is in details. Lines have a table for each type, with its own figures.

-- The last number of each series: one for each type and year, without gaps, drawn in the transaction that uses it.
create table document_numbers (
  kind text not null,
  year integer not null,
  last integer not null,
  primary key (kind, year)
) strict, without rowid;

-- store_id is the store it is for; source_type and source_id are where it comes from; on_date is the day it is for.
-- steps is who took which step when, oldest first.
create table documents (
  id text primary key,
  kind text not null,
  number text not null,
  state text not null,
  store_id text references locations (id),
  source_type text,
  source_id text,
  on_date integer not null,
  notes text,
  details json not null,
  steps json not null,
  line_count integer not null,
  amount integer,
  search_key text not null,
  revision integer not null,
  created_at integer not null,
  created_by json not null,
  updated_at integer not null,
  updated_by json not null
) strict;
create unique index documents_number on documents (number);
create index documents_day on documents (kind, on_date, id);
create index documents_state on documents (kind, state, on_date, id, store_id);
create index documents_store on documents (store_id, kind, on_date, id);
create index documents_source on documents (source_id, kind, on_date, id);
create unique index documents_one_draft on documents (store_id, source_type, source_id, on_date) where kind = 'storeOrder' and state = 'draft';

-- Which documents a document goes back to: a delivery to its orders, a receipt to its delivery.
create table document_links (
  document_id text not null references documents (id),
  origin_id text not null references documents (id),
  primary key (document_id, origin_id)
) strict, without rowid;
create index document_links_origin on document_links (origin_id, document_id);

-- Quantities of lines are in the line's unit; factor is how many base units one of it is.
create table order_lines (
  id text primary key,
  document_id text not null references documents (id),
  position integer not null,
  product_id text not null references products (id),
  sku text,
  name text not null,
  uom_id text not null references uoms (id),
  uom_code text not null,
  factor integer not null,
  qty_suggested integer,
  qty_ordered integer not null,
  qty_approved integer,
  qty_dispatched integer not null,
  qty_arrived integer not null,
  qty_received integer not null,
  qty_short_closed integer not null,
  unit_price integer,
  reason text,
  why json not null,
  backorder_of text
) strict;
create index order_lines_document on order_lines (document_id, position);
create index order_lines_product on order_lines (product_id, document_id);

-- What a delivery or a transfer carries. dispatched_base and settled_base are base units: what left, and what of it is
-- no longer on its way. They are kept beside the figures, since parts that are rounded one by one do not add up.
create table shipment_lines (
  id text primary key,
  document_id text not null references documents (id),
  position integer not null,
  product_id text not null references products (id),
  sku text,
  name text not null,
  uom_id text not null references uoms (id),
  uom_code text not null,
  factor integer not null,
  order_line_id text references order_lines (id),
  ordered integer not null,
  picked integer,
  dispatched integer not null,
  overage integer not null,
  accepted integer not null,
  returned integer not null,
  written_off integer not null,
  dispatched_base integer not null,
  settled_base integer not null,
  lot text,
  expiry integer
) strict;
create index shipment_lines_document on shipment_lines (document_id, position);
create index shipment_lines_product on shipment_lines (product_id, document_id);
create index shipment_lines_order on shipment_lines (order_line_id) where order_line_id is not null;

-- What a store took in.
create table receipt_lines (
  id text primary key,
  document_id text not null references documents (id),
  position integer not null,
  product_id text not null references products (id),
  sku text,
  name text not null,
  uom_id text not null references uoms (id),
  uom_code text not null,
  factor integer not null,
  source_line_id text references shipment_lines (id),
  order_line_id text references order_lines (id),
  expected integer not null,
  received integer not null,
  accepted integer not null,
  rejected integer not null,
  reason text,
  resolution text,
  backorder_line_id text,
  settled_base integer not null,
  lot text,
  expiry integer
) strict;
create index receipt_lines_document on receipt_lines (document_id, position);
create index receipt_lines_source on receipt_lines (source_line_id) where source_line_id is not null;
create index receipt_lines_product on receipt_lines (product_id, document_id);

-- Lots. A product with a shelf life is followed by them: every movement says which lot it moved.
create table lots (
  product_id text not null references products (id),
  lot text not null,
  expiry integer,
  first_seen integer not null,
  document_type text not null,
  document_id text not null,
  recalled_at integer,
  recalled_by json,
  recall_reason text,
  primary key (product_id, lot)
) strict, without rowid;
create index lots_code on lots (lot);
create index lots_expiry on lots (expiry) where expiry is not null;

-- What lies of a lot at a place; stock without a lot is the balance less these.
create table lot_balances (
  product_id text not null,
  place_kind text not null,
  place_id text not null,
  lot text not null,
  qty integer not null,
  primary key (product_id, place_id, place_kind, lot)
) strict, without rowid;
create index lot_balances_lot on lot_balances (lot, product_id);
create index lot_balances_place on lot_balances (place_id, place_kind);

-- A document may post several times: dispatch, taken back, dispatched again. posting counts them.
alter table stock_movements add column posting integer not null default 1;
alter table stock_movements add column lot text;
drop index stock_movements_document;
create unique index stock_movements_document on stock_movements (document_type, document_id, posting, document_line, leg);
create index stock_movements_lot on stock_movements (lot, seq) where lot is not null;
