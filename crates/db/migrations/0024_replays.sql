-- Replays: how policies would have done on days that are over. The run itself is one of the services; here is what it
-- came to. Written by the replay tool and nothing else.

-- What was played: the days, and the policies with their terms, in their order.
create table replays (
  run_id text primary key references service_runs (id),
  first_day integer not null,
  last_day integer not null,
  policies json not null
) strict;

-- A store: how many root items were played, how many were left out or began with an estimate, and the figures of each
-- policy in the order of the policies, as whole numbers (millionths, centavos).
create table replay_stores (
  run_id text not null references replays (run_id),
  store_id text not null,
  series integer not null,
  left_out integer not null,
  estimated integer not null,
  root_items json not null,
  figures json not null,
  primary key (run_id, store_id)
) strict, without rowid;
