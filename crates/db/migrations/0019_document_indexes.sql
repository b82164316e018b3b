-- What a page of documents filters and counts by stands in the indexes themselves, so that a long history is read there
-- and not row by row.
drop index documents_day;
drop index documents_state;
drop index documents_store;
create index documents_day on documents (kind, on_date, id, state, search_key);
create index documents_state on documents (kind, state, on_date, id, store_id, search_key);
create index documents_store on documents (store_id, kind, on_date, id, state);
