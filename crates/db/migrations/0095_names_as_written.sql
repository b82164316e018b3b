-- How a file or a till last wrote a name without a POS item; its number is given by the key, which is in small letters.
alter table sales_numbers add column written text;

-- So far: as the latest file wrote it. 10 is the place after «unmapped:».
update sales_numbers set written = (
  select n.name from sales_batch_names n join sales_batches b on b.id = n.batch_id
  where n.kind = 'item' and n.name_key = substr(sales_numbers.item_id, 10)
  order by b.created_at desc, b.id desc limit 1
) where item_id like 'unmapped:%';
