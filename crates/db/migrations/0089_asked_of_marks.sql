-- What was taken when more was taken than was expected: quantities with the codes of their units, as in the document.
-- Null for marks made before this.

alter table count_marks add column asked json;
