-- Ways of paying: what tills and the bank call them, what they cost, when their money comes.

create table tender_types (
  id text primary key,
  name text not null,
  name_key text not null,
  code text,
  code_key text,
  tender_kind text not null,
  fee_percent integer,
  settlement_days integer,
  active boolean not null,
  search_key text not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json
) strict;
create unique index tender_types_name_key on tender_types (name_key);
create unique index tender_types_code_key on tender_types (code_key);
