-- A store-day goes to NetSuite once, in one layout. live_key (store and day) is filled on the record that counts. A withdrawn
-- record loses it, and keeps its row and its External ID: exported again it has the same one.
alter table netsuite_records add column live_key text;
alter table netsuite_records add column withdrawn_at integer;
alter table netsuite_records add column withdrawn_by json;
alter table netsuite_records add column withdraw_reason text;
create index netsuite_records_of_day on netsuite_records (store_id, business_date);

-- Of days that went in several layouts the oldest record counts. The others keep no key: they are named until one is withdrawn.
update netsuite_records set live_key = store_id || '|' || cast(business_date as text)
where not exists (
  select 1 from netsuite_records older
  where older.store_id = netsuite_records.store_id and older.business_date = netsuite_records.business_date
    and (older.exported_at < netsuite_records.exported_at
      or (older.exported_at = netsuite_records.exported_at and older.layout < netsuite_records.layout))
);
create unique index netsuite_records_live on netsuite_records (live_key);
