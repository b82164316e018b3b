import { Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { DOT, moment } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { type Activity, activityApi } from '../api';
import { clockOf, describeDevice, eventDetail, eventText } from '../labels';
import { tabPath } from '../UsersFrame';
import { Avatar } from './Avatar';
import { Changes } from './Changes';
import classes from './Feed.module.css';
import { FeedFrame } from './FeedFrame';

const PAGE = 50;

interface Props {
  query: Record<string, string | number | undefined> & { kind: 'people' | 'signIn' };
  page: number;
  onPage(page: number): void;
  /** Whether filters are set. */
  narrowed?: boolean;
  onClear?(): void;
  /** For narrow places such as a drawer. */
  compact?: boolean;
}

/** Events of users and roles, newest first, grouped by day. */
export function ActivityFeed({ query, page, onPage, narrowed, onClear, compact }: Props) {
  const result = useQuery({
    queryKey: ['people', 'activity', query, page],
    queryFn: ({ signal }) => activityApi.page({ ...query, page, pageSize: PAGE }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <FeedFrame
      result={result}
      pageSize={PAGE}
      page={page}
      onPage={onPage}
      narrowed={narrowed}
      onClear={onClear}
      compact={compact}
      texts={{
        none: 'Every change and every sign-in will be kept here.',
        noMatch: 'Choose other dates or another person.',
      }}
      skeleton={Array.from({ length: 8 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
        <div key={i} className={classes.item}>
          <Skeleton height={24} circle />
          <div className={classes.body}>
            <Skeleton height={11} width={`${34 + ((i * 13) % 22)}%`} mt={5} />
            <Skeleton height={9} width={`${20 + ((i * 17) % 26)}%`} mt={11} mb={4} />
          </div>
        </div>
      ))}
      item={(item) => (
        <li key={item.seq} className={classes.item}>
          <Avatar name={item.by.name} email={item.by.email} />
          <div className={classes.body}>
            {item.event ? <SignIn item={item} /> : <Change item={item} />}
          </div>
          <time className={`${classes.time} num`} dateTime={item.at} title={moment(item.at)}>
            {clockOf(item.at)}
          </time>
        </li>
      )}
    />
  );
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
  const { words, tone } = eventText(item.event ?? '');
  const more = eventDetail(item.detail);
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
          item.userAgent && describeDevice(item.userAgent).words,
          item.origin,
        ]
          .filter(Boolean)
          .join(DOT)}
      </p>
    </>
  );
}
