-- Answers about what is bought together that took long, kept for a week. answer_key is made of the question: stores,
-- days, part of the day. asked is the question as it stood in the address; answer is missing until the job is done.
create table insight_answers (
  answer_key text primary key,
  job_id text not null,
  asked json not null,
  answer json,
  asked_at integer not null,
  asked_by text not null,
  made_at integer
) strict;
create index insight_answers_age on insight_answers (asked_at);
create index insight_answers_person on insight_answers (asked_by, asked_at);
