-- A variant of a POS item, such as its size, made from a file: the item whose bill of materials it inherits unless it has
-- one of its own. The bills of materials themselves are copied; see larder_lists::catalog::PosItem.
alter table pos_items add column variant_of text references pos_items (id);
create index pos_items_variant_of on pos_items (variant_of);

-- Of a variant in a file, the key of its item.
alter table sales_batch_names add column parent text;
