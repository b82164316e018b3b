import { IconLock } from '@tabler/icons-react';
import { Navigate, useParams } from 'react-router';
import { useCan } from '#/api/session';
import { EmptyState } from '#/ui/EmptyState';
import { ActivityTab } from './activity/ActivityTab';
import { ApplicationsTab } from './applications/ApplicationsTab';
import { UsersTab } from './people/UsersTab';
import { RolesTab } from './roles/RolesTab';
import { SessionsTab } from './sessions/SessionsTab';
import { APPLICATIONS, type Tab, tabPath, tabs, UsersFrame } from './UsersFrame';

/** Users, roles, applications, sessions and activity in tabs. */
export default function UsersPage() {
  const { tab = 'users' } = useParams();
  const mayDecide = useCan(APPLICATIONS);
  switch (tab as Tab) {
    case 'users':
      return <UsersTab />;
    case 'roles':
      return <RolesTab />;
    case 'applications':
      return mayDecide ? <ApplicationsTab /> : <NoApplications />;
    case 'sessions':
      return <SessionsTab />;
    case 'activity':
      return <ActivityTab />;
  }
  return <Navigate to={tabPath(tabs[0])} replace />;
}

function NoApplications() {
  return (
    <UsersFrame tab="applications">
      <EmptyState
        role="alert"
        icon={IconLock}
        title="Not Authorized"
        text="You don't have access to applications. Your administrator can give it to you."
      />
    </UsersFrame>
  );
}
