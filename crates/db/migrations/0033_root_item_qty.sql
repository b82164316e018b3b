-- Daily quantities of root items, imported as they are; and files that were confirmed before, found by their columns.

-- What the items of a file are: 'posItems', or 'rootItems' where somebody keeps daily quantities of these.
alter table sales_batches add column subject text not null default 'posItems';

-- The names of the columns, as they compare; missing for those confirmed before they were kept.
alter table sales_layouts add column headers json;
