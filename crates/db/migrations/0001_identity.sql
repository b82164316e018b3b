-- Who signs in, what they may do, and where they are signed in.

create table app_roles (
  id text primary key,
  name text not null,
  permissions json not null,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json not null
) strict;

create unique index app_roles_name on app_roles (lower(name));

-- The sign-in side of a person: what the identity endpoints speak of.
create table accounts (
  uid text primary key,
  email text not null,
  email_key text not null,
  email_verified boolean not null,
  display_name text not null,
  password_hash text,
  disabled boolean not null,
  valid_since integer not null,
  created_at integer not null,
  last_login_at integer
) strict;

create unique index accounts_email on accounts (email_key);

-- The house's side of a person: role, stores, status.
create table app_users (
  id text primary key,
  uid text references accounts (uid),
  email text not null,
  email_key text not null,
  name text not null,
  role_id text references app_roles (id),
  status text not null,
  billable boolean not null,
  super_admin boolean not null,
  store_ids json,
  extra json not null,
  revision integer not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by json not null
) strict;

create unique index app_users_uid on app_users (uid);
create unique index app_users_email on app_users (email_key);
create index app_users_role on app_users (role_id);

-- A cookie session; the database knows only the hash of what the browser holds.
create table sessions (
  token_hash text primary key,
  id text not null,
  uid text not null references accounts (uid),
  created_at integer not null,
  authenticated_at integer not null,
  last_seen_at integer not null,
  expires_at integer not null,
  user_agent text not null,
  origin text not null
) strict;

create unique index sessions_id on sessions (id);
create index sessions_uid on sessions (uid);

-- Keys that sign ID tokens.
create table signing_keys (
  kid text primary key,
  private_pem text not null,
  created_at integer not null,
  retired_at integer
) strict;

-- Failed sign-ins per address, to slow down guessing.
create table sign_in_failures (
  email_key text primary key,
  failures integer not null,
  last_at integer not null,
  locked_until integer not null
) strict;

create table settings (
  name text primary key,
  value json not null,
  updated_at integer not null
) strict;
