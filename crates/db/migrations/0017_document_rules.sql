-- Rules of documents that people set, a figure each: above what waste waits for approval (money), how many percent of the
-- expected may come beyond it. value has the unit of its rule; none: the rule's own default.
alter table waste_settings rename to document_rules;
alter table document_rules rename column approval_above to value;
