-- Whether a count included goods that came close to it, as people answered. line_id is a line of a receipt, or of the
-- delivery or transfer that was not received yet. Without an answer the times decide.

create table count_answers (
  store_id text not null,
  date integer not null,
  session text not null check (session in ('', 'opening', 'closing')),
  line_id text not null,
  included boolean not null,
  answered_at integer not null,
  answered_by json not null,
  primary key (store_id, date, session, line_id)
) strict, without rowid;
