-- Lists brought in from files: the file, what each of its rows would do, and what it did.

create table import_batches (
  id text primary key,
  list text not null,
  file_name text not null,
  file_key text not null,
  size integer not null,
  state text not null check (state in ('uploaded', 'checking', 'checked', 'committing', 'committed', 'undoing',
                                       'undone', 'failed')),
  layout json not null,
  mapping json,
  summary json,
  error text,
  job_id text,
  revision integer not null,
  created_at integer not null,
  created_by json not null,
  created_by_uid text not null,
  committed_at integer,
  undone_at integer
) strict;
create index import_batches_age on import_batches (created_at);

-- In the order they are written; row_no is the file's own count, and 0 is a record that a row needs and that
-- was not there. plan is what is written, cells are those of a row that cannot be. state: planned (to be
-- written), none (nothing to write), done, undone, kept (could not be undone; note says why).
create table import_rows (
  batch_id text not null references import_batches (id),
  seq integer not null,
  row_no integer not null,
  list text not null,
  outcome text not null check (outcome in ('created', 'updated', 'unchanged', 'failed')),
  state text not null check (state in ('planned', 'none', 'done', 'undone', 'kept')),
  record_id text,
  record_revision integer,
  name text not null,
  plan json,
  changes json not null,
  problems json not null,
  cells json,
  note text,
  primary key (batch_id, seq)
) strict;
create index import_rows_file on import_rows (batch_id, outcome, row_no);
create index import_rows_state on import_rows (batch_id, state, seq);

-- Documents of the former system that have no table yet, as they came, so that nothing is lost.
create table imported_documents (
  collection text not null,
  id text not null,
  document json not null,
  imported_at integer not null,
  primary key (collection, id)
) strict;
