-- Receipts with at least one item sold and not voided, and their net sales without returns, in centavos. Null: not
-- counted yet. The server counts them in the background, and any reader until then.

alter table sales_tills add column tickets integer;
alter table sales_tills add column ticket_net integer;
create index sales_tills_uncounted on sales_tills (store_id, business_date) where tickets is null;
