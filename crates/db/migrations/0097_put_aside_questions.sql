-- What is asked about all rows of a unit that a connector put aside, where a user can decide, and what was answered
-- before, where some of it was put aside again: see larder_engines::connectors::asked.
alter table connector_letters add column question text;
alter table connector_letters add column answer text;
