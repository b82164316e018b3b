import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useCan } from '#/api/session';
import { pages, to } from '#/paths';
import { count } from '#/ui/format';
import { Page } from '#/ui/Page';
import { PageTabs } from '#/ui/PageTabs';
import { applicationsApi } from './api';
import classes from './UsersFrame.module.css';

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

/** The page header with the tabs. */
export function UsersFrame({ tab, aside, actions, children }: Props) {
  const mayDecide = useCan(APPLICATIONS);
  const waiting = useQuery({
    queryKey: ['people', 'applications', 'waiting'],
    queryFn: async ({ signal }) =>
      (await applicationsApi.page({ state: 'pending', pageSize: 1 }, signal)).total,
    enabled: mayDecide,
  });

  const shown = tabs.filter((one) => one !== 'applications' || mayDecide);
  const labelOf = (one: Tab) =>
    one === 'applications' && waiting.data ? (
      <>
        {LABELS[one]}
        <span className={`${classes.badge} num`}>
          {count(waiting.data)}
          <span className="sr-only"> waiting</span>
        </span>
      </>
    ) : (
      LABELS[one]
    );

  return (
    <Page fill title={pages.users.label} aside={aside} actions={actions}>
      <PageTabs
        label="People"
        current={tab}
        tabs={shown.map((one) => ({ value: one, to: tabPath(one), label: labelOf(one) }))}
      />
      {children}
    </Page>
  );
}
