-- When a movement at a store happened, in milliseconds: a count includes what happened before it, whatever their dates.
-- Null where only the business date is known, and at places that keep a running balance.

-- sqlite: drop trigger stock_movements_stay;
-- postgres: drop trigger stock_movements_stay on stock_movements;

alter table stock_movements add column happened_at integer;

-- So far: when it was posted, if that was on its business date; a receipt knows when the goods came. A merge moves no
-- goods. 28800000 ms are the eight hours of the business time zone.
update stock_movements set happened_at = posted_at
where place_kind = 'store' and document_type <> 'merge' and business_date = (posted_at + 28800000) / 86400000;
-- sqlite: update stock_movements set happened_at = (select unixepoch(d.details->>'receivedAt') * 1000 from documents d where d.id = stock_movements.document_id) where place_kind = 'store' and document_type = 'receipt' and reverses is null and exists (select 1 from documents d where d.id = stock_movements.document_id and d.kind = 'receipt' and (unixepoch(d.details->>'receivedAt') + 28800) / 86400 = stock_movements.business_date);
-- postgres: update stock_movements set happened_at = (extract(epoch from (d.details->>'receivedAt')::timestamptz) * 1000)::bigint from documents d where d.id = stock_movements.document_id and d.kind = 'receipt' and place_kind = 'store' and document_type = 'receipt' and reverses is null and (extract(epoch from (d.details->>'receivedAt')::timestamptz)::bigint + 28800) / 86400 = business_date;
-- A reversal happened when what it reverses did.
update stock_movements set happened_at = (select o.happened_at from stock_movements o where o.seq = stock_movements.reverses)
where reverses is not null and place_kind = 'store';

-- sqlite: create trigger stock_movements_stay before update on stock_movements begin select raise(abort, 'stock movements are never changed'); end;
-- postgres: create trigger stock_movements_stay before update or delete on stock_movements for each row execute function stock_movements_refuse();

-- A store's movements by day, for its stock.
create index stock_movements_store on stock_movements (place_id, business_date) where place_kind = 'store';
