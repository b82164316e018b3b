-- How many rows of an acquirer's file were left out; problems has the first 200 of them.

alter table cash_settlements add column left_out integer not null default 0;
-- sqlite: update cash_settlements set left_out = json_array_length(problems);
-- postgres: update cash_settlements set left_out = jsonb_array_length(problems);
