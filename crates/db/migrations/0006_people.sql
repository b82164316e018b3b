-- What safe sign-in, user management and applications need beside 0001.

alter table app_roles add column require_totp boolean not null default false;
alter table app_roles add column description text not null default '';

alter table accounts add column photo_url text not null default '';
alter table accounts add column must_change_password boolean not null default false;
alter table accounts add column password_changed_at integer;

-- A password made for somebody, shown to administrators until its owner has signed in or a day has passed.
alter table app_users add column temp_password text;
alter table app_users add column temp_password_at integer;
-- The name as it is compared and sorted: lower case, single spaces.
alter table app_users add column name_key text not null default '';
update app_users set name_key = lower(name);

-- A session is a browser's (its cookie's hash is token_hash) or a client's that holds refresh tokens ('token:' and
-- the session's id). idle_ms ends it when unused; kind 'office' or 'tablet' for browsers, 'client' for the others.
alter table sessions add column kind text not null default 'office';
alter table sessions add column idle_ms integer not null default 43200000;
alter table sessions add column provider text not null default 'password';
alter table sessions add column device_hash text;
alter table sessions add column revoked_at integer;
create index sessions_expires on sessions (expires_at);

-- One use each: the successor is derived from the token itself, so only hashes are kept.
create table refresh_tokens (
  token_hash text primary key,
  session_id text not null,
  created_at integer not null,
  used_at integer
) strict;
create index refresh_tokens_session on refresh_tokens (session_id);

-- Who an account is elsewhere: provider 'google.com', subject its stable id there.
create table account_providers (
  provider text not null,
  subject text not null,
  uid text not null references accounts (uid),
  email text not null,
  linked_at integer not null,
  primary key (provider, subject)
) strict;
create index account_providers_uid on account_providers (uid);

-- Links to set a password: 'reset' lives an hour, 'invitation' three days. Only the newest of an account counts.
create table password_links (
  code_hash text primary key,
  uid text not null references accounts (uid),
  kind text not null check (kind in ('reset', 'invitation')),
  created_at integer not null,
  expires_at integer not null,
  used_at integer
) strict;
create index password_links_uid on password_links (uid);

-- A sign-in with Google under way; taken away when it comes back.
create table provider_sign_ins (
  state_hash text primary key,
  browser_hash text not null,
  nonce text not null,
  verifier text not null,
  mode text not null,
  return_to text not null,
  created_at integer not null,
  expires_at integer not null
) strict;
create index provider_sign_ins_expires on provider_sign_ins (expires_at);

-- Browsers somebody has signed in from; their failures count apart.
create table known_devices (
  uid text not null references accounts (uid),
  device_hash text not null,
  user_agent text not null,
  first_seen_at integer not null,
  last_seen_at integer not null,
  primary key (uid, device_hash)
) strict;
create index known_devices_seen on known_devices (last_seen_at);

-- Failures by what they are counted for: an account from unknown devices, or an account from one known device.
drop table sign_in_failures;
create table sign_in_failures (
  counted_for text primary key,
  failures integer not null,
  last_at integer not null,
  locked_until integer not null
) strict;

-- A second factor; not in force before it was confirmed. last_step keeps a code from being used twice.
create table totp_secrets (
  uid text primary key references accounts (uid),
  secret text not null,
  created_at integer not null,
  confirmed_at integer,
  last_step integer not null
) strict;

create table totp_recovery_codes (
  uid text not null references accounts (uid),
  code_hash text not null,
  used_at integer,
  primary key (uid, code_hash)
) strict;

-- Keys that devices hold and cannot give away (P-256).
create table attested_devices (
  id text primary key,
  public_key text not null,
  user_agent text not null,
  created_at integer not null,
  last_seen_at integer not null
) strict;

-- What happened around signing in, and every attempt to grant or take what one may not.
create table security_events (
  seq sequence primary key,
  at integer not null,
  event text not null,
  uid text,
  email text not null,
  name text not null,
  origin text not null,
  user_agent text not null,
  detail json not null
) strict;
create index security_events_at on security_events (at);
create index security_events_uid on security_events (uid, seq);

-- People who ask for access.
create table applications (
  id text primary key,
  name text not null,
  email text not null,
  email_key text not null,
  mobile text not null,
  position text not null,
  store text not null,
  reason text not null,
  state text not null check (state in ('pending', 'approved', 'rejected')),
  note text not null,
  user_id text,
  decided_at integer,
  decided_by json,
  origin text not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json not null
) strict;
create index applications_state on applications (state, created_at);
-- One open application an address.
create unique index applications_pending on applications (email_key) where state = 'pending';
