-- The times of the first and the last sale of a store-day, in seconds since midnight of its business date: a count
-- outside them need not be placed among the sales. -1 if no sale has a time, null if it is not known yet.

alter table sales_days add column first_sold integer;
alter table sales_days add column last_sold integer;
