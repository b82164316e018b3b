-- What a job is at. When the same work is begun again, or what it was for is gone, a job that failed at it is put away: it is
-- told no more.
alter table jobs add column work text;
alter table jobs add column put_away_at integer;
create index jobs_work on jobs (work);
