import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconHistory, IconLock } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { EmptyState } from '#/ui/EmptyState';
import { count, moment } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { type Activity, activityApi } from '../api';
import { tabPath } from '../Frame';
import { clockOf, dayWords, device, event, eventMore } from '../words';
import { Avatar } from './Avatar';
import { Changes } from './Changes';
import classes from './Feed.module.css';

const PAGE = 50;

interface Props {
  query: Record<string, string | undefined>;
  page: number;
  onPage(page: number): void;
  /** Filters narrow what is shown. */
  narrowed?: boolean;
  onClear?(): void;
  /** Inside something narrow. */
  compact?: boolean;
}

/** What happened, newest first, by days. */
export function Feed({ query, page, onPage, narrowed, onClear, compact }: Props) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['people', 'activity', query, page],
    queryFn: ({ signal }) => activityApi.page({ ...query, page, pageSize: PAGE }, signal),
    placeholderData: keepPreviousData,
  });

  if (error && !data) {
    const problem = Problem.of(error);
    return (
      <EmptyState
        compact={compact}
        role="alert"
        icon={problem.status === 403 ? IconLock : IconAlertTriangle}
        title={problem.status === 403 ? 'Not Authorized' : 'This could not be loaded'}
        text={problem.message}
        action={
          problem.status !== 403 && (
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
        {Array.from({ length: 8 }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
          <div key={i} className={classes.item}>
            <Skeleton height={24} circle />
            <div className={classes.body}>
              <Skeleton height={11} width={`${34 + ((i * 13) % 22)}%`} mt={5} />
              <Skeleton height={9} width={`${20 + ((i * 17) % 26)}%`} mt={11} mb={4} />
            </div>
          </div>
        ))}
      </div>
    );
  }
  if (data.items.length === 0) {
    return (
      <EmptyState
        compact={compact}
        icon={IconHistory}
        title={narrowed ? 'Nothing matches' : 'Nothing has happened yet'}
        text={
          narrowed
            ? 'Choose other dates or another person.'
            : 'Every change and every sign-in will be kept here.'
        }
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

  // In a drawer the title comes before it.
  const Heading = compact ? 'h3' : 'h2';
  const pages = Math.ceil(data.total / PAGE);
  const from = (page - 1) * PAGE;
  return (
    <div className={classes.feed} data-old={isPlaceholderData || undefined}>
      {byDay(data.items).map(({ day, items }) => (
        <section key={day}>
          <Heading className={classes.day}>{day}</Heading>
          <ol className={classes.list}>
            {items.map((item) => (
              <li key={item.seq} className={classes.item}>
                <Avatar name={item.by.name} email={item.by.email} />
                <div className={classes.body}>
                  {item.event ? <SignIn item={item} /> : <Change item={item} />}
                </div>
                <time className={`${classes.time} num`} dateTime={item.at} title={moment(item.at)}>
                  {clockOf(item.at)}
                </time>
              </li>
            ))}
          </ol>
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

function byDay(items: readonly Activity[]): { day: string; items: Activity[] }[] {
  const days: { day: string; items: Activity[] }[] = [];
  for (const item of items) {
    const day = dayWords(item.at);
    const last = days.at(-1);
    if (last?.day === day) last.items.push(item);
    else days.push({ day, items: [item] });
  }
  return days;
}

const KINDS: Record<string, string> = { user: 'user', role: 'role', application: 'application' };
const TABS = { user: 'users', role: 'roles', application: 'applications' } as const;
const DONE = { created: 'added', updated: 'changed', deleted: 'removed' } as const;

function Change({ item }: { item: Activity }) {
  const { by, changes = [] } = item;
  const [kind, recordId, action] = [item.kind ?? '', item.recordId ?? '', item.action ?? 'updated'];
  const name = changes.find(({ field }) => field === 'name');
  const named = item.recordName ?? ((name?.after ?? name?.before) as string | undefined);
  const tab = TABS[kind as keyof typeof TABS];
  return (
    <>
      <p className={classes.what}>
        <strong>{by.name || by.email || 'The server'}</strong>{' '}
        {DONE[action as keyof typeof DONE] ?? 'changed'} the {KINDS[kind] ?? kind}{' '}
        {tab && action !== 'deleted' ? (
          <Link to={tabPath(tab, { open: recordId })} className={classes.link}>
            {named || 'without a name'}
          </Link>
        ) : (
          <strong>{named || recordId}</strong>
        )}
      </p>
      <Changes changes={changes} action={action} />
    </>
  );
}

function SignIn({ item }: { item: Activity }) {
  const { words, tone } = event(item.event ?? '');
  const more = eventMore(item.detail);
  return (
    <>
      <p className={classes.what}>
        <strong>{item.by.name || item.by.email || 'Unknown'}</strong>
        <StatusPill tone={tone}>{words}</StatusPill>
        {more && <span className={classes.more}>{more}</span>}
      </p>
      <p className={classes.where} title={item.userAgent ?? undefined}>
        {[
          item.by.name && item.by.email,
          item.userAgent && device(item.userAgent).words,
          item.origin,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </>
  );
}
