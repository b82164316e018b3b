import { IconKey, IconShieldCheck } from '@tabler/icons-react';
import type { Column } from '#/table/types';
import { DOT, MISSING, moment } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import type { User } from '../api';
import { timeAgo } from '../labels';
import { Person } from '../parts/Avatar';
import { storesLabel } from '../stores';
import classes from './columns.module.css';

/** A user's role, «Super admin» or «No role». */
export function RoleLabel({ user }: { user: Pick<User, 'superAdmin' | 'roleName' | 'roleId'> }) {
  if (user.superAdmin) return <StatusPill tone="brand">Super admin</StatusPill>;
  if (user.roleId) return <>{user.roleName ?? MISSING}</>;
  return <StatusPill tone="warn">No role</StatusPill>;
}

export function StatusOf({ status }: { status: string }) {
  return status === 'Active' ? (
    <StatusPill tone="ok">Active</StatusPill>
  ) : (
    <StatusPill tone="neutral">Disabled</StatusPill>
  );
}

export function columnsOf(storeName: (id: string) => string | undefined): Column<User>[] {
  return [
    {
      id: 'name',
      label: 'Name',
      value: ({ name }) => name,
      cell: ({ name, email }) => <Person name={name} email={email} />,
      primary: true,
    },
    {
      id: 'email',
      label: 'Email',
      value: ({ email }) => email,
      width: 250,
      muted: true,
      phone: 'none',
    },
    {
      id: 'roleName',
      label: 'Role',
      value: ({ superAdmin, roleName }) => (superAdmin ? 'Super admin' : roleName),
      cell: (user) => <RoleLabel user={user} />,
      width: 170,
      phone: 'sub',
    },
    {
      id: 'stores',
      label: 'Stores',
      value: ({ storeIds, superAdmin }) =>
        storesLabel(superAdmin ? null : storeIds, storeName).text,
      cell: ({ storeIds, superAdmin }) => {
        const { text, title } = storesLabel(superAdmin ? null : storeIds, storeName);
        return (
          <span title={title} className={title && classes.more}>
            {text}
          </span>
        );
      },
      width: 150,
      sortable: false,
      phone: 'sub',
    },
    {
      id: 'status',
      label: 'Status',
      value: ({ status }) => status,
      cell: ({ status }) => <StatusOf status={status} />,
      width: 104,
      phone: 'end',
    },
    {
      id: 'lastSignInAt',
      label: 'Last sign-in',
      value: ({ lastSignInAt }) => lastSignInAt,
      cell: (user) => <LastSignIn user={user} />,
      width: 140,
      muted: true,
      phone: 'none',
    },
    {
      id: 'totp',
      label: '2-step',
      title: 'Two-step sign-in with an authenticator app',
      value: ({ totp }) => (totp ? 'On' : 'Off'),
      cell: ({ totp }) =>
        totp ? (
          <span className={classes.shield} title="Two-step sign-in is on">
            <IconShieldCheck size={18} stroke={1.8} aria-hidden />
            <span className="sr-only">On</span>
          </span>
        ) : (
          <span className={classes.off} title="Two-step sign-in is off">
            <span aria-hidden>{MISSING}</span>
            <span className="sr-only">Off</span>
          </span>
        ),
      width: 76,
      sortable: false,
      phone: 'none',
    },
    {
      id: 'billable',
      label: 'Billable',
      value: ({ billable }) => (billable ? 'Yes' : 'No'),
      width: 90,
      hidden: true,
      sortable: false,
      phone: 'none',
    },
    {
      id: 'createdAt',
      label: 'Added',
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => moment(createdAt),
      width: 160,
      hidden: true,
      muted: true,
      phone: 'none',
    },
    {
      id: 'updatedAt',
      label: 'Last changed',
      value: ({ updatedAt }) => updatedAt,
      cell: ({ updatedAt, updatedBy }) =>
        [moment(updatedAt), updatedBy?.name].filter(Boolean).join(DOT),
      width: 230,
      hidden: true,
      muted: true,
      phone: 'none',
    },
  ];
}

function LastSignIn({ user }: { user: User }) {
  if (!user.lastSignInAt) {
    return (
      <span className={classes.never}>
        Never
        {user.hasTempPassword && (
          <span title="A temporary password waits to be used">
            <IconKey size={15} stroke={1.8} aria-hidden />
            <span className="sr-only">, a temporary password waits</span>
          </span>
        )}
      </span>
    );
  }
  return <span title={moment(user.lastSignInAt)}>{timeAgo(user.lastSignInAt)}</span>;
}
