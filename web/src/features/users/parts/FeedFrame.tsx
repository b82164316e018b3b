import { Button } from '@mantine/core';
import { IconAlertTriangle, IconHistory, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Problem } from '#/api/problem';
import { EmptyState } from '#/ui/EmptyState';
import { count } from '#/ui/format';
import { dayLabel } from '../labels';
import classes from './Feed.module.css';

interface Entry {
  seq: number;
  at: string;
}

interface Props<T extends Entry> {
  result: {
    data: { items: T[]; total: number } | undefined;
    error: unknown;
    isPlaceholderData: boolean;
    refetch(): unknown;
  };
  pageSize: number;
  page: number;
  onPage(page: number): void;
  /** Whether filters are set. */
  narrowed?: boolean;
  onClear?(): void;
  /** For narrow places such as a drawer, where a heading is above it. */
  compact?: boolean;
  skeleton: ReactNode;
  /** Shown without entries. */
  texts: { none: string; noMatch: string };
  item(entry: T): ReactNode;
}

/** Entries grouped by day, newest first, in pages; with the states of loading, failing and having none. */
export function FeedFrame<T extends Entry>(props: Props<T>) {
  const { result, pageSize, page, onPage, narrowed, onClear, compact, skeleton, texts } = props;
  const { data, error, isPlaceholderData, refetch } = result;

  if (error && !data) {
    const problem = Problem.of(error);
    const locked = problem.status === 403;
    return (
      <EmptyState
        compact={compact}
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
      <div className={classes.feed} aria-busy>
        {skeleton}
      </div>
    );
  }
  if (data.items.length === 0) {
    return (
      <EmptyState
        compact={compact}
        icon={IconHistory}
        title={narrowed ? 'Nothing matches' : 'Nothing has happened yet'}
        text={narrowed ? texts.noMatch : texts.none}
        action={
          narrowed &&
          onClear && (
            <Button variant="default" onClick={onClear}>
              Clear filter
            </Button>
          )
        }
      />
    );
  }

  const Heading = compact ? 'h3' : 'h2';
  const pages = Math.ceil(data.total / pageSize);
  const from = (page - 1) * pageSize;
  return (
    <div className={classes.feed} data-old={isPlaceholderData || undefined}>
      {groupByDay(data.items).map(({ day, items }) => (
        <section key={day}>
          <Heading className={classes.day}>{day}</Heading>
          <ol className={classes.list}>{items.map(props.item)}</ol>
        </section>
      ))}
      {pages > 1 && (
        <nav className={classes.pager} aria-label="Pages">
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

/** Groups entries, which are sorted by time, under the day they happened on. */
function groupByDay<T extends { at: string }>(items: readonly T[]): { day: string; items: T[] }[] {
  const days: { day: string; items: T[] }[] = [];
  for (const item of items) {
    const day = dayLabel(item.at);
    const last = days.at(-1);
    if (last?.day === day) last.items.push(item);
    else days.push({ day, items: [item] });
  }
  return days;
}
