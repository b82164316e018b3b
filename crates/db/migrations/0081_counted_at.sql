-- When a number was counted, in milliseconds. Choosing, confirming and correcting it are saves of their own, and keep it.

-- recounted: whether the author of a save said that the item was counted again (true) or that only the number was wrong
-- (false); null if nobody asked.
alter table store_count_events add column counted_at integer not null default 0;
alter table store_count_events add column recounted boolean;
-- counted_assumed: the time could not be right for the date and became 07:00 for an opening count, 23:00 for any other.
alter table store_counts add column counted_at integer not null default 0;
alter table store_counts add column counted_assumed boolean not null default false;

-- A choice is a save by the server that names the chosen one.
update store_count_events set counted_at = stands_at;
update store_count_events set counted_at =
  coalesce((select p.stands_at from store_count_events p where p.op = store_count_events.prev), stands_at)
where device_id like 'server:%';

-- Of what is current, the first save of this number since another one was.
update store_counts set counted_at = coalesce((
    select e.counted_at from store_count_events e
    where e.store_id = store_counts.store_id and e.date = store_counts.date and e.session = store_counts.session
      and e.item_id = store_counts.item_id and e.outcome = 'applied' and e.qty = store_counts.qty
      and e.seq > coalesce((
        select max(o.seq) from store_count_events o
        where o.store_id = store_counts.store_id and o.date = store_counts.date
          and o.session = store_counts.session and o.item_id = store_counts.item_id and o.outcome = 'applied'
          and (o.qty is null or o.qty <> store_counts.qty)), 0)
    order by e.seq limit 1), stands_at);

-- Counts of a date are made from its midnight (UTC+8) until noon of the next day.
update store_counts set counted_assumed = true,
  counted_at = date * 86400000 + case when session = 'opening' then -3600000 else 54000000 end
where counted_at < date * 86400000 - 28800000 or counted_at >= date * 86400000 + 100800000;
