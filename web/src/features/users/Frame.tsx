import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useCan } from '#/api/session';
import { pages, to } from '#/paths';
import { count } from '#/ui/format';
import { Page } from '#/ui/Page';
import { applicationsApi } from './api';
import classes from './Frame.module.css';

export const tabs = ['users', 'roles', 'applications', 'sessions', 'activity'] as const;
export type Tab = (typeof tabs)[number];

const LABELS: Record<Tab, string> = {
  users: 'Users',
  roles: 'Roles',
  applications: 'Applications',
  sessions: 'Sessions',
  activity: 'Activity',
};

export const APPLICATIONS = 'manageUsers/applications';
export const USERS = 'manageUsers/users';

export const tabPath = (tab: Tab, search?: Record<string, string>) =>
  tab === 'users' && !search ? pages.users.path : to('usersTab', { tab }, search);

interface Props {
  tab: Tab;
  aside?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The head that all tabs share. */
export function Frame({ tab, aside, actions, children }: Props) {
  const mayDecide = useCan(APPLICATIONS);
  const list = useRef<HTMLElement>(null);
  const waiting = useQuery({
    queryKey: ['people', 'applications', 'waiting'],
    queryFn: async ({ signal }) =>
      (await applicationsApi.page({ state: 'pending', pageSize: 1 }, signal)).total,
    enabled: mayDecide,
  });

  // On a phone the tabs scroll sideways, and the one that is open should be in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for every tab
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (here && list.current) list.current.scrollLeft = here.offsetLeft - 60;
  }, [tab]);

  return (
    <Page fill title={pages.users.label} aside={aside} actions={actions}>
      <nav className={classes.tabs} aria-label="People" ref={list}>
        {tabs
          .filter((one) => one !== 'applications' || mayDecide)
          .map((one) => (
            <Link
              key={one}
              to={tabPath(one)}
              className={classes.tab}
              aria-current={one === tab ? 'page' : undefined}
            >
              {LABELS[one]}
              {one === 'applications' && Boolean(waiting.data) && (
                <span className={`${classes.badge} num`}>
                  {count(waiting.data)}
                  <span className="sr-only"> waiting</span>
                </span>
              )}
            </Link>
          ))}
      </nav>
      {children}
    </Page>
  );
}
