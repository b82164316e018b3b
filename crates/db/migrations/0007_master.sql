-- Master data beyond the simple lists: companies, whom and what is dealt with, and the products.
--
-- Framed as the lists of 0002 are. Money is in centavos, quantities and sizes in millionths, days are business
-- days; columns marked «kept» are written by the server alone.

-- Siblings of a tree stand in the order people gave them, then by name.
alter table categories add column position integer not null default 0;
alter table operational_areas add column position integer not null default 0;

create table companies (
  id text primary key,
  name text not null,
  name_key text not null,
  street_address text,
  city text,
  province text,
  country text,
  postal_code text,
  email text,
  website text,
  phone text,
  industry text,
  legal_business_name text,
  tin text,
  business_type text,
  dti_sec_url text,
  mayor_permit_url text,
  bir_url text,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index companies_name_key on companies (name_key);

-- Permits and registrations as uploaded; the file itself lies under file_key.
create table company_documents (
  id text primary key,
  company_id text not null references companies (id),
  kind text not null check (kind in ('dtiSec', 'mayorPermit', 'bir', 'other')),
  title text not null,
  number text,
  issued integer,
  expires integer,
  file_name text not null,
  content_type text not null,
  size integer not null,
  file_key text not null,
  revision integer not null,
  created_at integer not null,
  created_by json not null
) strict;
create index company_documents_company on company_documents (company_id, kind, created_at);
create index company_documents_expires on company_documents (expires) where expires is not null;

create table suppliers (
  id text primary key,
  name text not null,
  name_key text not null,
  title text,
  first_name text,
  middle_name text,
  last_name text,
  suffix text,
  company_name text,
  email text,
  phone text,
  mobile_number text,
  fax text,
  other_contact text,
  website text,
  street_address text,
  street_address2 text,
  city text,
  province text,
  zip_code text,
  country text,
  contact_person text,
  notes text,
  tax_id text,
  payment_terms text,
  account_number text,
  expense_category text,
  opening_balance integer,
  opening_balance_date integer,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index suppliers_name_key on suppliers (name_key);

-- The default one is where a product is adjusted when nobody says where; one at most.
create table commissaries (
  id text primary key,
  name text not null,
  name_key text not null,
  company_id text references companies (id),
  email text,
  phone text,
  street_address text,
  city text,
  province text,
  country text,
  contact_person text,
  is_default boolean not null,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index commissaries_name_key on commissaries (name_key);
create index commissaries_company_id on commissaries (company_id);
create unique index commissaries_default on commissaries (is_default) where is_default;

create table warehouses (
  id text primary key,
  name text not null,
  name_key text not null,
  email text,
  phone text,
  street_address text,
  city text,
  province text,
  country text,
  contact_person text,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index warehouses_name_key on warehouses (name_key);

create table cold_storages (
  id text primary key,
  name text not null,
  name_key text not null,
  email text,
  phone text,
  street_address text,
  city text,
  province text,
  country text,
  contact_person text,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index cold_storages_name_key on cold_storages (name_key);

-- The chart of accounts; a name is unique among its siblings. classification and balance are kept.
create table chart_accounts (
  id text primary key,
  number text,
  number_key text,
  name text not null,
  name_key text not null,
  account_type text not null,
  detail_type text,
  classification text,
  description text,
  currency text not null,
  parent_id text references chart_accounts (id),
  opening_balance integer,
  opening_balance_date integer,
  balance integer not null default 0,
  active boolean not null,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index chart_accounts_number_key on chart_accounts (number_key);
create unique index chart_accounts_root_name on chart_accounts (name_key) where parent_id is null;
create unique index chart_accounts_name on chart_accounts (parent_id, name_key);
create index chart_accounts_sort on chart_accounts (name_key);

-- What the commissary makes or stocks and stores order. quantity is kept by the stock ledger alone; the
-- accounts' numbers and names are kept too, so that a product shows them without a right to the chart.
create table products (
  id text primary key,
  sku text,
  sku_key text,
  name text not null,
  name_key text not null,
  category_id text references categories (id),
  product_kind text not null,
  product_type_id text references product_types (id),
  food_type_id text references food_types (id),
  base_uom_id text references uoms (id),
  base_uom_weight integer,
  base_uom_volume integer,
  default_selling_uom_id text references uoms (id),
  other_uoms json not null,
  conversions json not null,
  root_item_conversions json not null,
  price_level_prices json not null,
  storage_requirement_id text references storage_requirements (id),
  shelf_life integer,
  description text,
  quantity integer not null default 0,
  reorder_point integer,
  inactive boolean not null,
  image_url text,
  inventory_asset_account_id text references chart_accounts (id),
  inventory_asset_account_number text,
  inventory_asset_account_name text,
  expense_account_id text references chart_accounts (id),
  expense_account_number text,
  expense_account_name text,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index products_sku_key on products (sku_key);
create index products_sort on products (name_key);
create index products_category_id on products (category_id);
create index products_product_type_id on products (product_type_id);
create index products_food_type_id on products (food_type_id);
create index products_base_uom_id on products (base_uom_id);
create index products_default_selling_uom_id on products (default_selling_uom_id);
create index products_storage_requirement_id on products (storage_requirement_id);
create index products_inventory_asset_account_id on products (inventory_asset_account_id);
create index products_expense_account_id on products (expense_account_id);

-- A batch: what it yields, and the root items that go into it.
create table recipes (
  id text primary key,
  name text not null,
  name_key text not null,
  code text,
  code_key text,
  yield_qty integer,
  yield_uom_id text references uoms (id),
  root_items json not null,
  product_id text references products (id),
  instructions text,
  inactive boolean not null,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index recipes_name_key on recipes (name_key);
create unique index recipes_code_key on recipes (code_key);
create index recipes_yield_uom_id on recipes (yield_uom_id);
create index recipes_product_id on recipes (product_id);

-- What store staff see and count; root_qty_per_unit is a factor of nine places.
create table store_inventory_items (
  id text primary key,
  name text not null,
  name_key text not null,
  code text,
  code_key text,
  root_item_id text references root_items (id),
  root_qty_per_unit integer,
  uom_id text references uoms (id),
  packs json not null,
  storage_area text,
  sort_order integer,
  barcode text,
  barcode_key text,
  image_url text,
  production boolean not null,
  created_by json,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create index store_inventory_items_name_key on store_inventory_items (name_key);
create unique index store_inventory_items_code_key on store_inventory_items (code_key);
create unique index store_inventory_items_barcode_key on store_inventory_items (barcode_key);
create index store_inventory_items_root_item_id on store_inventory_items (root_item_id);
create index store_inventory_items_uom_id on store_inventory_items (uom_id);

-- What a store keeps of a root item.
create table store_root_items (
  id text primary key,
  store_id text not null references locations (id),
  root_item_id text not null references root_items (id),
  par_qty integer,
  min_qty integer,
  storage_area text,
  notes text,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index store_root_items_pair on store_root_items (store_id, root_item_id);
create index store_root_items_root on store_root_items (root_item_id);
