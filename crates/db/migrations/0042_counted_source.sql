-- Sales of a store's day that came twice: the source that counts, as a person said; missing where nobody did.
alter table cmsr_days add column counted_source text;
