-- A picture makes one reading of a store, however often it is sent; one that was discarded may be sent again.
create unique index z_readings_picture on z_readings (store_id, picture) where picture is not null and state <> 'discarded';
-- Whose till prints this number.
create index z_terminals_min on z_terminals (min) where min is not null;
-- Of a picture nobody knows the till of yet, the counter says nothing about another one's.
drop index z_readings_counter;
create unique index z_readings_counter on z_readings (store_id, terminal_id, reset_counter, z_counter) where z_counter is not null and terminal_id <> '' and state <> 'discarded';
