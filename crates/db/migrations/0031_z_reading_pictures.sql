-- A picture makes one reading of a store, however often it is sent; one that was discarded may be sent again.
create unique index z_readings_picture on z_readings (store_id, picture) where picture is not null and state <> 'discarded';
-- Whose till prints this number.
create index z_terminals_min on z_terminals (min) where min is not null;
