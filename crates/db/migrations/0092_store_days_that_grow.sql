-- The parts of a store-day that several batches make up, in the order of posting: what each brings, and how it joins those
-- before it (add, replaceReceipts, replaceTills, replaceDays). The store-day is composed from them, so that taking one back
-- brings back what it replaced. A store-day of one batch has no rows here. tenders is [[receipt, kind, amount, reference]];
-- kept is how many lines, receipts, payments and figures of the part the store-day has: with 0 it adds nothing now.
create table sales_day_parts (
  store_id text not null,
  business_date integer not null,
  source text not null,
  seq integer not null,
  batch_id text,
  how text not null,
  packed blob not null,
  tenders json not null,
  kept integer not null,
  posted_at integer not null,
  corrected_at integer,
  primary key (store_id, business_date, source, seq)
) strict;
create index sales_day_parts_batch on sales_day_parts (batch_id);
