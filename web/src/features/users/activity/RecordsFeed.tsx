import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconHistory, IconLock } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Problem } from '#/api/problem';
import { EmptyState } from '#/ui/EmptyState';
import { count } from '#/ui/format';
import feed from '../parts/Feed.module.css';
import { dayWords } from '../words';
import { RecordLine } from './RecordLine';
import { byDay, PAGE, type RecordsQuery, recordsPage } from './records';

interface Props {
  query: RecordsQuery;
  page: number;
  onPage(page: number): void;
  narrowed: boolean;
  onClear(): void;
}

export function useRecords(query: RecordsQuery, page: number, enabled = true) {
  return useQuery({
    queryKey: ['history', 'all', query, page],
    queryFn: ({ signal }) => recordsPage(query, page, signal),
    placeholderData: keepPreviousData,
    enabled,
  });
}

/** What happened to every record, newest first, by days. */
export function RecordsFeed({ query, page, onPage, narrowed, onClear }: Props) {
  const { data, error, refetch, isPlaceholderData } = useRecords(query, page);
  if (error && !data) {
    const problem = Problem.of(error);
    const locked = problem.status === 403;
    return (
      <EmptyState
        role="alert"
        icon={locked ? IconLock : IconAlertTriangle}
        title={locked ? 'Not Authorized' : 'This could not be loaded'}
        text={problem.message}
        action={
          !locked && (
            <Button variant="default" onClick={() => void refetch()}>
              Try again
            </Button>
          )
        }
      />
    );
  }
  if (!data) {
    return (
      <div className={feed.feed} aria-busy>
        {[52, 44, 60, 48, 56, 40].map((width) => (
          <div key={width} className={feed.item}>
            <Skeleton height={24} circle />
            <div className={feed.body}>
              <Skeleton height={11} width={`${width}%`} mt={7} mb={6} />
            </div>
          </div>
        ))}
      </div>
    );
  }
  if (data.items.length === 0) {
    return (
      <EmptyState
        icon={IconHistory}
        title={narrowed ? 'Nothing matches' : 'Nothing has happened yet'}
        text={
          narrowed
            ? 'Choose other dates, another person or another kind of record.'
            : 'Every change of a record will be kept here.'
        }
        action={
          narrowed && (
            <Button variant="default" onClick={onClear}>
              Clear filter
            </Button>
          )
        }
      />
    );
  }
  const pages = Math.ceil(data.total / PAGE);
  const from = (page - 1) * PAGE;
  return (
    <div className={feed.feed} data-old={isPlaceholderData || undefined}>
      {byDay(data.items, (at) => dayWords(at)).map(({ day, items }) => (
        <section key={day}>
          <h2 className={feed.day}>{day}</h2>
          <ol className={feed.list}>
            {items.map((item) => (
              <RecordLine key={item.seq} item={item} />
            ))}
          </ol>
        </section>
      ))}
      {pages > 1 && (
        <nav className={feed.pager} aria-label="Pages">
          <span className="num">
            {count(from + 1)}–{count(from + data.items.length)} of {count(data.total)}
          </span>
          <Button size="xs" variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Newer
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={page >= pages}
            onClick={() => onPage(page + 1)}
          >
            Older
          </Button>
        </nav>
      )}
    </div>
  );
}
