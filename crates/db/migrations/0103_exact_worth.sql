-- What a snapshot's variance and theoretical use are worth: millionths of a unit times centavos, exact. Null: it is not
-- known, or there is no price. variance_value is variance_worth rounded to the centavo.
alter table root_item_snapshots add column variance_worth integer;
alter table root_item_snapshots add column theoretical_worth integer;

-- Of earlier rows only the rounded value is known. If today's price gives the same value, it was the price then.
-- Of a value that its millionths would carry past 64 bits, nothing is kept.
update root_item_snapshots set variance_worth = variance_value * 1000000 where abs(variance_value) < 9000000000000;
update root_item_snapshots
set variance_worth = variance * (select r.price from root_items r where r.id = root_item_snapshots.root_item_id)
where abs(variance_value) < 9000000000000 and abs(variance) < 1000000000000 and exists (
  select 1 from root_items r where r.id = root_item_snapshots.root_item_id
    and case
      when abs(root_item_snapshots.variance_value) < 9000000000000
        and abs(root_item_snapshots.variance) < 1000000000000 and abs(r.price) < 1000000
      then abs(root_item_snapshots.variance * r.price - root_item_snapshots.variance_value * 1000000) <= 500000
      else 1 = 0
    end
);
-- Their theoretical use was valued at today's price.
update root_item_snapshots
set theoretical_worth = theoretical_use * (select r.price from root_items r where r.id = root_item_snapshots.root_item_id)
where abs(theoretical_use) < 1000000000000 and exists (
  select 1 from root_items r where r.id = root_item_snapshots.root_item_id and abs(r.price) < 1000000
);
