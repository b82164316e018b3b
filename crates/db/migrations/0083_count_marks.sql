-- Root items to be counted in a store, since more was taken than was expected there. A count made later settles it.
-- expected is in millionths of the root item's unit, marked_at in milliseconds.

create table count_marks (
  store_id text not null,
  root_item_id text not null,
  marked_at integer not null,
  document_id text not null,
  expected integer not null,
  primary key (store_id, root_item_id)
) strict, without rowid;
