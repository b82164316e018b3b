-- Master lists.
--
-- Every table has the same frame: id, the list's own fields, then search_key, extra (custom fields nobody
-- declared), revision and who changed it when. A *_key column beside a field holds that text folded to lower
-- case with single spaces: unique names, sorting and search must treat «PARAÑAQUE» and «Parañaque» alike,
-- and neither engine's lower() does that the same way. search_key holds all searched fields, folded.

create table uoms (
  id text primary key,
  name text not null,
  name_key text not null,
  code text not null,
  code_key text not null,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index uoms_name_key on uoms (name_key);
create unique index uoms_code_key on uoms (code_key);

-- A tree; a name is unique among its siblings.
create table categories (
  id text primary key,
  name text not null,
  name_key text not null,
  parent_id text references categories (id),
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index categories_root_name on categories (name_key) where parent_id is null;
create unique index categories_name on categories (parent_id, name_key);
create index categories_sort on categories (name_key);

create table food_types (
  id text primary key,
  name text not null,
  name_key text not null,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index food_types_name_key on food_types (name_key);

create table product_types (
  id text primary key,
  name text not null,
  name_key text not null,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index product_types_name_key on product_types (name_key);

create table storage_requirements (
  id text primary key,
  name text not null,
  name_key text not null,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index storage_requirements_name_key on storage_requirements (name_key);

create table price_levels (
  id text primary key,
  name text not null,
  name_key text not null,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index price_levels_name_key on price_levels (name_key);

create table store_formats (
  id text primary key,
  name text not null,
  name_key text not null,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index store_formats_name_key on store_formats (name_key);

create table regional_areas (
  id text primary key,
  name text not null,
  name_key text not null,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index regional_areas_name_key on regional_areas (name_key);

-- A tree, as categories.
create table operational_areas (
  id text primary key,
  name text not null,
  name_key text not null,
  code text,
  code_key text,
  parent_id text references operational_areas (id),
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index operational_areas_code_key on operational_areas (code_key);
create unique index operational_areas_root_name on operational_areas (name_key) where parent_id is null;
create unique index operational_areas_name on operational_areas (parent_id, name_key);
create index operational_areas_sort on operational_areas (name_key);

-- What usage, forecasts and variance are counted in. weight_kg in millionths, price in centavos.
create table root_items (
  id text primary key,
  root_product_id text,
  root_product_id_key text,
  name text not null,
  name_key text not null,
  item_type text,
  weight_kg integer,
  price integer,
  production boolean not null,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index root_items_root_product_id_key on root_items (root_product_id_key);
create index root_items_sort on root_items (name_key);

-- What a till sells. bom is its bill of materials as last saved; what sales are reckoned with are its
-- versions, kept with the sales.
create table pos_items (
  id text primary key,
  pos_item_id text,
  pos_item_id_key text,
  description text not null,
  description_key text not null,
  price integer,
  service_type text,
  category text,
  bom json not null,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index pos_items_pos_item_id_key on pos_items (pos_item_id_key);
create index pos_items_sort on pos_items (description_key);
