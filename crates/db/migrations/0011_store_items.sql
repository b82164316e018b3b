-- What each store counts of all store inventory items, and what a counted item is made of there. Written by the book
-- of store items and nothing else.
--
-- Items are named here without a foreign key: one that is deleted is counted nowhere, whoever still lists it.

-- Stores that count the same.
create table store_item_groups (
  id text primary key,
  name text not null,
  name_key text not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json not null
) strict;
create unique index store_item_groups_name_key on store_item_groups (name_key);

create table store_item_group_items (
  group_id text not null references store_item_groups (id),
  item_id text not null,
  primary key (group_id, item_id)
) strict, without rowid;
create index store_item_group_items_item on store_item_group_items (item_id);

-- A store counts its own items where it has some (own), else those of its group, else all.
create table store_item_visibility (
  store_id text primary key references locations (id),
  group_id text references store_item_groups (id),
  own boolean not null,
  revision integer not null,
  updated_at integer not null,
  updated_by json not null
) strict;
create index store_item_visibility_group on store_item_visibility (group_id);

create table store_item_choices (
  store_id text not null references store_item_visibility (store_id),
  item_id text not null,
  primary key (store_id, item_id)
) strict, without rowid;
create index store_item_choices_item on store_item_choices (item_id);

-- How a counted item is split over recipes in a store. percent in millionths.
create table store_item_mixes (
  store_id text not null references locations (id),
  item_id text not null references store_inventory_items (id),
  revision integer not null,
  updated_at integer not null,
  updated_by json not null,
  primary key (store_id, item_id)
) strict, without rowid;
create index store_item_mixes_item on store_item_mixes (item_id);

create table store_item_mix_splits (
  store_id text not null,
  item_id text not null,
  line_no integer not null,
  recipe_id text not null references recipes (id),
  percent integer not null check (percent >= 0),
  primary key (store_id, item_id, line_no)
) strict, without rowid;
create index store_item_mix_splits_recipe on store_item_mix_splits (recipe_id);
