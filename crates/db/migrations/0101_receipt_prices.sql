-- What the supplier charges for one of the line's unit, in centavos.
alter table receipt_lines add column unit_price integer;

-- Prices of root items that posted receipts of supplier goods propose, per unit of the root item, in centavos. A user
-- accepts or dismisses them; they are withdrawn when their receipt is reversed, and go with their root item.
create table price_proposals (
  id text primary key,
  root_item_id text not null,
  product_id text not null,
  receipt_id text not null references documents (id),
  line_id text not null,
  on_date integer not null,
  price integer not null,
  state text not null check (state in ('open', 'accepted', 'dismissed', 'withdrawn')),
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json not null
) strict;
create unique index price_proposals_line on price_proposals (line_id, root_item_id);
create index price_proposals_state on price_proposals (state, on_date);
create index price_proposals_receipt on price_proposals (receipt_id);
create index price_proposals_root_item on price_proposals (root_item_id);
