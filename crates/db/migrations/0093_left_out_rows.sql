-- Rows of a sales file that are not posted, or not as they are written, the first ten thousand of a file: why, what they
-- are about, and what is written less what is posted (quantity in millionths, amount in centavos).
create table sales_batch_left_out (
  batch_id text not null references sales_batches (id),
  seq integer not null,
  row_no integer not null,
  reason text not null,
  text text not null,
  qty integer not null,
  net integer not null,
  primary key (batch_id, seq)
) strict, without rowid;
