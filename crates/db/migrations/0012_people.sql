-- Who was handed a link to set a password, or had a temporary password made: it opens no more than they still hold.

alter table password_links add column made_by text;
alter table app_users add column temp_password_by text;

-- What the console tells somebody until they put it away.
create table notices_put_away (
  uid text not null references accounts (uid),
  notice text not null,
  at integer not null,
  primary key (uid, notice)
) strict;
