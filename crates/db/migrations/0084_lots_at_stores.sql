-- What came of a lot to a place: received is the business date of its first arrival there (null if it never came), came the
-- sum of all arrivals, less those that were reversed. What left by documents is came less qty.

alter table lot_balances add column received integer;
alter table lot_balances add column came integer not null default 0;

-- A lot that came and left in one posting had no row.
insert into lot_balances (product_id, place_kind, place_id, lot, qty)
select m.item_id, m.place_kind, m.place_id, m.lot, 0 from stock_movements m
where m.lot is not null and m.item_kind = 'product' and not exists (
  select 1 from lot_balances b where b.product_id = m.item_id and b.place_kind = m.place_kind
    and b.place_id = m.place_id and b.lot = m.lot)
group by m.item_id, m.place_kind, m.place_id, m.lot;

update lot_balances set
  received = (select min(m.business_date) from stock_movements m
    where m.lot = lot_balances.lot and m.item_kind = 'product' and m.item_id = lot_balances.product_id
      and m.place_kind = lot_balances.place_kind and m.place_id = lot_balances.place_id
      and m.qty > 0 and m.reverses is null),
  came = coalesce((select cast(sum(m.qty) as bigint) from stock_movements m
    where m.lot = lot_balances.lot and m.item_kind = 'product' and m.item_id = lot_balances.product_id
      and m.place_kind = lot_balances.place_kind and m.place_id = lot_balances.place_id
      and (m.qty > 0) = (m.reverses is null)), 0);

-- What a place answered about a recalled lot: how much it found, in millionths of the base unit. came is what had come of
-- the lot by then; more of it, or a further recall, asks again. document_id is the waste report that answered.
create table recall_answers (
  product_id text not null,
  lot text not null,
  place_kind text not null,
  place_id text not null,
  found integer not null,
  note text,
  came integer not null,
  answered_at integer not null,
  answered_by json not null,
  document_id text,
  primary key (product_id, lot, place_id, place_kind)
) strict, without rowid;
create index recall_answers_document on recall_answers (document_id) where document_id is not null;

-- The document that registered a lot may correct its expiry date.
create index lots_document on lots (document_id);
