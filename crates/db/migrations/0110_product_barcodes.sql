-- The barcodes of a product, each with the unit it is printed on: [{"code": ..., "uomId": ...}].
alter table products add column barcodes json not null default '[]';

-- The same, one row each, so that a code names one product. code_key is the code as codes are compared: in lower case, a
-- UPC of twelve digits with a zero before it. Rows go with their product.
create table product_barcodes (
  code_key text primary key,
  code text not null,
  product_id text not null,
  uom_id text not null
) strict, without rowid;
create index product_barcodes_product on product_barcodes (product_id);
