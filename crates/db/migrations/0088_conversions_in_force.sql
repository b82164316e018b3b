-- What products, counted items and mixes consisted of before they were changed; what they consist of now is in their
-- records. parts was in force until that time, in milliseconds: root items, and how much of each is in one unit. kind is
-- product, item (its own root item) or mix (of an item in a store; parts is null while there was none). store_id
-- is empty except for mixes.

create table former_parts (
  kind text not null,
  store_id text not null,
  id text not null,
  until integer not null,
  parts json,
  primary key (kind, store_id, id, until)
) strict, without rowid;
