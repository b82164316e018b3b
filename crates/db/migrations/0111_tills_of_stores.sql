-- Stores number their tills alike (1, 2, 3). A till's number is unique only beside a POS code.
create table tills_of_stores (
  location_id text not null references locations (id),
  pos_code text not null,
  terminal_id text not null,
  primary key (location_id, pos_code, terminal_id)
) strict;
insert into tills_of_stores (location_id, pos_code, terminal_id)
select location_id, pos_code, terminal_id from location_terminals;
drop table location_terminals;
alter table tills_of_stores rename to location_terminals;
create unique index location_terminals_coded on location_terminals (pos_code, terminal_id) where pos_code <> '';
create index location_terminals_terminal on location_terminals (terminal_id);
