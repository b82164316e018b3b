-- Reports that people build: what they ask, who sees them, when they go out by mail, and what was sent.

-- definition: dataset, range, rows, columns, measures, filters, order, picture. A report that was removed stays with
-- deleted_at until it is brought back.
create table custom_reports (
  id text primary key,
  name text not null,
  name_key text not null,
  about text not null,
  definition json not null,
  owner_id text not null references app_users (id),
  everybody boolean not null,
  revision integer not null,
  created_at integer not null,
  created_by json not null,
  updated_at integer not null,
  updated_by json not null,
  deleted_at integer
) strict;
create unique index custom_reports_name on custom_reports (owner_id, name_key) where deleted_at is null;

-- The roles a report is shared with.
create table custom_report_roles (
  report_id text not null references custom_reports (id),
  role_id text not null references app_roles (id) on delete cascade,
  primary key (report_id, role_id)
) strict, without rowid;
create index custom_report_roles_role on custom_report_roles (role_id);

-- When a report goes out: minutes after midnight in UTC+8; weekdays as bits from Monday on for a daily or weekly one,
-- month_day from 1 to 31 for a monthly one (the last day of a shorter month). last_due: the time it was last due and
-- taken on; of two nodes that find it due, one takes it.
create table custom_report_schedules (
  report_id text primary key references custom_reports (id),
  enabled boolean not null,
  every text not null check (every in ('week', 'month')),
  minutes integer not null,
  weekdays integer not null,
  month_day integer not null,
  note text not null,
  last_due integer,
  revision integer not null,
  updated_at integer not null,
  updated_by json not null
) strict;

-- To whom it goes.
create table custom_report_recipients (
  report_id text not null references custom_reports (id),
  user_id text not null references app_users (id) on delete cascade,
  primary key (report_id, user_id)
) strict, without rowid;
create index custom_report_recipients_user on custom_report_recipients (user_id);

-- What was sent to whom: due_at is the time it was due, none for a test; mail_job is the job that hands the letter over.
create table custom_report_sends (
  id text primary key,
  report_id text not null references custom_reports (id),
  due_at integer,
  user_id text not null,
  name text not null,
  email text not null,
  state text not null check (state in ('waiting', 'mailed', 'skipped', 'failed')),
  mail_job text,
  words text not null,
  created_at integer not null,
  settled_at integer
) strict;
create index custom_report_sends_of on custom_report_sends (report_id, created_at);
create unique index custom_report_sends_once on custom_report_sends (report_id, due_at, user_id);

-- Movements are asked for by their day.
create index stock_movements_day on stock_movements (business_date);
