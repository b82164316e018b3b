-- Sales of a store's day that count nowhere, because another source (counted) reports the same ones. The packed sums
-- and sales_rollup_pos are without them.
create table sales_left_out (
  store_id text not null,
  business_date integer not null,
  source text not null,
  counted text not null,
  settled_at integer not null,
  primary key (store_id, business_date, source)
) strict, without rowid;

-- Store-days of several sources from before; the server settles them in the background, and deletes these rows.
create table sales_unsettled (
  store_id text not null,
  business_date integer not null,
  primary key (store_id, business_date)
) strict, without rowid;
insert into sales_unsettled (store_id, business_date)
select store_id, business_date from sales_days group by store_id, business_date having count(*) > 1;
