-- Stores keep a row for every lot that ever came to them; other places have few that are not used up.
create index lot_balances_elsewhere on lot_balances (product_id, lot) where place_kind <> 'store' and qty <> 0;

-- Few lots are recalled.
create index lots_recalled on lots (product_id, lot) where recalled_at is not null;
