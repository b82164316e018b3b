-- How many root items of a store were left out of a replay for each reason; null in results from before.

alter table replay_stores add column left_out_why json;
