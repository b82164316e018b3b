-- Stock: the one ledger of what came and went, and what it adds up to. Written by the stock book and nothing else.
--
-- Quantities are signed millionths of base units, unit_cost centavos, business_date days from 1970-01-01.

-- Append-only: what was posted wrongly is reversed by a movement that names it. Each side of each line of a
-- document is posted once. balance is what lay at the place afterwards.
create table stock_movements (
  seq sequence primary key,
  item_kind text not null check (item_kind in ('product', 'rootItem')),
  item_id text not null,
  place_kind text not null check (place_kind in ('store', 'commissary', 'warehouse', 'coldStorage', 'inTransit')),
  place_id text not null,
  business_date integer not null,
  posted_at integer not null,
  qty integer not null check (qty <> 0),
  balance integer not null,
  unit_cost integer,
  document_type text not null,
  document_id text not null,
  document_line integer not null,
  leg text not null check (leg in ('only', 'from', 'to')),
  reason text,
  actor json not null,
  reverses integer references stock_movements (seq)
) strict;
create unique index stock_movements_document on stock_movements (document_type, document_id, document_line, leg);
create unique index stock_movements_reverses on stock_movements (reverses);
create index stock_movements_item on stock_movements (item_id, item_kind, seq);
create index stock_movements_place on stock_movements (place_id, place_kind, seq);

-- The sum of an item's movements at a place.
create table stock_balances (
  item_kind text not null,
  item_id text not null,
  place_kind text not null,
  place_id text not null,
  qty integer not null,
  moved_at integer not null,
  primary key (item_id, item_kind, place_id, place_kind)
) strict, without rowid;
create index stock_balances_place on stock_balances (place_id, place_kind);

-- Nobody rewrites what was posted, not even by mistake.
-- sqlite: create trigger stock_movements_stay before update on stock_movements begin select raise(abort, 'stock movements are never changed'); end;
-- sqlite: create trigger stock_movements_remain before delete on stock_movements begin select raise(abort, 'stock movements are never removed'); end;
-- postgres: create function stock_movements_refuse() returns trigger language plpgsql as $$ begin raise exception 'stock movements are never changed or removed'; end $$;
-- postgres: create trigger stock_movements_stay before update or delete on stock_movements for each row execute function stock_movements_refuse();
