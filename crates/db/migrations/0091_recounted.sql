-- When the number was last counted anew, by the server's clock: applied with another time than the one before. What was
-- answered about goods close to the count until then was about the number before.
alter table store_counts add column recounted_at integer;
