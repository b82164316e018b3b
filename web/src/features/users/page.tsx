import { IconLock } from '@tabler/icons-react';
import { Navigate, useParams } from 'react-router';
import { useCan } from '#/api/session';
import { EmptyState } from '#/ui/EmptyState';
import { ActivityTab } from './activity/ActivityTab';
import { ApplicationsTab } from './applications/ApplicationsTab';
import { APPLICATIONS, Frame, type Tab, tabPath, tabs } from './Frame';
import { UsersTab } from './people/UsersTab';
import { RolesTab } from './roles/RolesTab';
import { SessionsTab } from './sessions/SessionsTab';

/** People: who they are, what they may do, who asks to come in, who is here, what happened. */
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
    <Frame tab="applications">
      <EmptyState
        role="alert"
        icon={IconLock}
        title="Not Authorized"
        text="You don't have access to applications. Your administrator can give it to you."
      />
    </Frame>
  );
}
