-- Money on its way from tills to the bank: what stores declare, what they pay in, what acquirers pay out.
-- Written by the book of cash and nothing else. Amounts are centavos, days counted from 1970-01-01.

-- What somebody counted in a drawer. pieces is [{denomination, pieces}] with denominations in centavos, tenders
-- [{kind, amount}] of what is no cash. A voided declaration counts for nothing and keeps its reason.
create table cash_declarations (
  id text primary key,
  store_id text not null references locations (id),
  business_date integer not null,
  terminal_id text not null,
  pieces json not null,
  cash integer not null,
  tenders json not null,
  notes text not null,
  photos json not null,
  counted_at integer not null,
  void_reason text,
  revision integer not null,
  created_at integer not null,
  created_by json not null,
  updated_at integer not null,
  updated_by json not null
) strict;
create index cash_declarations_day on cash_declarations (store_id, business_date);

-- A payment into a bank. One slip may hold the cash of several days.
create table cash_deposits (
  id text primary key,
  store_id text not null references locations (id),
  deposited_on integer not null,
  amount integer not null,
  bank text not null,
  reference text not null,
  photos json not null,
  notes text not null,
  void_reason text,
  revision integer not null,
  created_at integer not null,
  created_by json not null,
  updated_at integer not null,
  updated_by json not null
) strict;
create index cash_deposits_store on cash_deposits (store_id, deposited_on);

-- What of a deposit is of which day's cash; all of a deposit's days come to its amount.
create table cash_deposit_days (
  deposit_id text not null references cash_deposits (id),
  store_id text not null,
  business_date integer not null,
  amount integer not null,
  primary key (deposit_id, business_date)
) strict, without rowid;
create index cash_deposit_days_day on cash_deposit_days (store_id, business_date);

-- A file of an acquirer.
create table cash_settlements (
  id text primary key,
  file_name text not null,
  sha256 text not null,
  mapping json not null,
  lines integer not null,
  added integer not null,
  known integer not null,
  problems json not null,
  created_at integer not null,
  created_by json not null
) strict;

-- Its lines. terminal is how the acquirer calls the till or the store; store_id is empty until somebody says whose it
-- is. line_key is the same for the same line of another file, so that none counts twice.
create table cash_settlement_lines (
  line_key text primary key,
  settlement_id text not null references cash_settlements (id),
  line integer not null,
  terminal text not null,
  terminal_key text not null,
  store_id text,
  business_date integer not null,
  kind text not null,
  label text not null,
  gross integer not null,
  fee integer not null,
  net integer not null,
  reference text not null
) strict, without rowid;
create index cash_settlement_lines_day on cash_settlement_lines (store_id, business_date);
create index cash_settlement_lines_terminal on cash_settlement_lines (terminal_key) where store_id is null;

-- Whose a terminal of an acquirer is, as somebody said.
create table cash_terminals (
  terminal_key text primary key,
  terminal text not null,
  store_id text not null references locations (id),
  updated_at integer not null,
  updated_by json not null
) strict, without rowid;
