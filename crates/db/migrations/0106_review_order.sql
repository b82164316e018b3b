-- Readings in the order of their review: those that fail first, then those with doubtful fields.

-- How many of a reading's own sums fail, and how many fields of its picture are doubtful; null until the reading is
-- written again, which counts as doubtful.
alter table z_readings add column sums_failing integer;
alter table z_readings add column fields_doubtful integer;
