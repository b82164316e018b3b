-- Sales: imported files, store-days, and the sums that reports read.
--
-- Quantities are millionths, amounts centavos, days counted from 1970-01-01. The store leads every big key.
-- Tables of packed bytes have row ids: SQLite keeps rows of some kilobytes whole in a leaf only there.
-- Store-days, sums and bills of materials are written by the sales book and nothing else; batches, their
-- problems and names, layouts and aliases by the import of sales.

-- What a POS item is made of. A version is never edited; in force on a day is the one with the highest seq
-- among those whose valid_from is not after it.
create table bom_versions (
  id text primary key,
  pos_item_id text not null,
  seq integer not null,
  valid_from integer not null,
  created_at integer not null,
  created_by json not null
) strict;
create unique index bom_versions_item on bom_versions (pos_item_id, seq);

-- multiplier in thousand-millionths. An item whose newest version has no lines uses nothing from then on.
create table bom_lines (
  bom_id text not null references bom_versions (id),
  root_item_id text not null references root_items (id),
  multiplier integer not null check (multiplier > 0),
  primary key (bom_id, root_item_id)
) strict;
create index bom_lines_root on bom_lines (root_item_id);

-- An uploaded file and what became of it.
create table sales_batches (
  id text primary key,
  file_name text not null,
  file_key text not null,
  size integer not null,
  sha256 text not null,
  state text not null check (state in
    ('uploaded', 'validating', 'validated', 'posting', 'posted', 'superseded', 'reverted', 'failed')),
  layout json not null,
  mapping json,
  summary json,
  problem_count integer not null,
  error text,
  job_id text,
  created_at integer not null,
  created_by json not null,
  created_by_uid text not null,
  posted_at integer,
  reverted_at integer,
  revision integer not null
) strict;
create index sales_batches_created on sales_batches (created_at);
create index sales_batches_state on sales_batches (state);

-- Rows that are no sales lines, the first ten thousand of a file; sales_batches.problem_count counts all.
create table sales_batch_problems (
  batch_id text not null references sales_batches (id),
  seq integer not null,
  row_no integer not null,
  field text,
  value text not null,
  code text not null,
  message text not null,
  primary key (batch_id, seq)
) strict, without rowid;

-- The names a file uses, with what was sold under them: kind 'store', 'item' or 'terminal'. For a store,
-- days lists the business dates; the fixed store of a file has the empty name_key.
create table sales_batch_names (
  batch_id text not null references sales_batches (id),
  kind text not null,
  name_key text not null,
  name text not null,
  code text,
  category text,
  price integer,
  store_id text,
  lines integer not null,
  qty integer not null,
  net integer not null,
  first_day integer not null,
  last_day integer not null,
  days json,
  primary key (batch_id, kind, name_key)
) strict, without rowid;

-- How files with the same columns were read the last time.
create table sales_layouts (
  fingerprint text primary key,
  mapping json not null,
  batch_id text not null,
  file_name text not null,
  updated_at integer not null,
  updated_by json not null
) strict;

-- What names in files stand for, as somebody decided: kind 'store' or 'item'.
create table sales_aliases (
  kind text not null,
  name_key text not null,
  name text not null,
  target_id text not null,
  created_at integer not null,
  created_by json not null,
  primary key (kind, name_key)
) strict, without rowid;
create index sales_aliases_target on sales_aliases (target_id);

-- Writers of a store's sales take its row first, so that two of them never reckon from the same old figures.
create table sales_locks (
  store_id text primary key,
  turn integer not null
) strict;

-- What one source says one store sold on one business date. digest tells at once whether an import changes it.
create table sales_days (
  store_id text not null references locations (id),
  business_date integer not null,
  source text not null,
  batch_id text,
  lines integer not null,
  receipts integer not null,
  qty integer not null,
  gross integer not null,
  discount integer not null,
  net integer not null,
  digest text not null,
  revision integer not null,
  posted_at integer not null,
  corrected_at integer,
  primary key (store_id, business_date, source)
) strict, without rowid;
create index sales_days_batch on sales_days (batch_id);

-- Its items, receipts and lines in a few bytes a line (larder_domain::sales::StoreDay::pack). One row a
-- store-day instead of one a line writes and reads many times faster, and always together anyway.
create table sales_lines (
  store_id text not null,
  business_date integer not null,
  source text not null,
  packed blob not null,
  primary key (store_id, business_date, source)
) strict;

-- What each till of a store-day sold, by its receipts. A receipt is store, business date, terminal and number.
create table sales_tills (
  store_id text not null,
  business_date integer not null,
  source text not null,
  terminal_id text not null,
  receipts integer not null,
  lines integer not null,
  qty integer not null,
  gross integer not null,
  discount integer not null,
  net integer not null,
  primary key (store_id, business_date, source, terminal_id)
) strict, without rowid;

-- How receipts were paid; receipt_seq -1 is the day as a whole.
create table sales_tenders (
  store_id text not null,
  business_date integer not null,
  source text not null,
  tender_seq integer not null,
  receipt_seq integer not null,
  kind text not null,
  amount integer not null,
  reference text not null,
  primary key (store_id, business_date, source, tender_seq)
) strict, without rowid;

-- Numbers that stand for POS items, root items and unmapped names ('unmapped:' and the name's key) wherever
-- items are packed. A number is given once and never changes.
create table sales_numbers (
  number sequence primary key,
  item_id text not null
) strict;
create unique index sales_numbers_item on sales_numbers (item_id);

-- A store-day's sums per POS item, each with the version of its bill of materials, in one row
-- (larder_domain::sales::day::pack_items); every rollup can be counted again from these rows and bom_lines.
-- unmapped counts the items that no POS item is known for.
create table sales_day_items (
  store_id text not null,
  business_date integer not null,
  source text not null,
  unmapped integer not null,
  packed blob not null,
  primary key (store_id, business_date, source)
) strict;

-- What was sold of a POS item in a month (grain 30) in all stores together: the one sum that is looked up by item.
create table sales_rollup_pos (
  grain integer not null check (grain = 30),
  period integer not null,
  pos_item_id text not null,
  qty integer not null,
  gross integer not null,
  net integer not null,
  lines integer not null,
  primary key (grain, period, pos_item_id)
) strict, without rowid;

-- Sums of single stores, and of all together (store_id '*'), by grain: 1 the days of a month, 7 a week from
-- Monday, 30 a month; block is its first day. All items in one row (larder_domain::sales::sums), with
-- quantity, gross, net and lines of POS items, or the quantity of root items. A question about stores reads all
-- items of a period anyway, and one row is read and written many times faster than hundreds.
create table sales_sums_pos (
  store_id text not null,
  grain integer not null,
  block integer not null,
  packed blob not null,
  primary key (store_id, grain, block)
) strict;

create table sales_sums_root (
  store_id text not null,
  grain integer not null,
  block integer not null,
  packed blob not null,
  primary key (store_id, grain, block)
) strict;
