import { Button } from '@mantine/core';
import {
  IconCopy,
  IconEye,
  IconPencil,
  IconPlus,
  IconShieldLock,
  IconUsers,
} from '@tabler/icons-react';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useCan } from '#/api/session';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { count, DOT, MISSING, moment, plural } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import type { Catalogue, Role } from '../api';
import { useCatalogue, useRoles } from '../queries';
import { everyRight, summary, toRightSet } from '../rights';
import { tabPath, USERS, UsersFrame } from '../UsersFrame';
import { RoleEditor } from './RoleEditor';

const idOf = ({ id }: Role) => id;
const nameOf = ({ name }: Role) => name;

function columnsOf(catalogue: Catalogue | undefined): Column<Role>[] {
  const every = catalogue ? new Set(everyRight(catalogue)) : null;
  const held = (role: Role) =>
    [...toRightSet(role.permissions)].filter((right) => !every || every.has(right)).length;
  return [
    { id: 'name', label: 'Role', value: ({ name }) => name, primary: true, width: 220 },
    {
      id: 'allows',
      label: 'Allows',
      value: (role) => (catalogue ? summary(role.permissions, catalogue) : ''),
      cell: (role) => {
        const text = catalogue ? summary(role.permissions, catalogue) : '';
        return <span title={text}>{text}</span>;
      },
      muted: true,
      sortable: false,
      phone: 'sub',
    },
    {
      id: 'rights',
      label: 'Rights',
      value: held,
      cell: (role) => (
        <>
          {count(held(role))}
          {every && ` of ${count(every.size)}`}
        </>
      ),
      align: 'right',
      width: 110,
      muted: true,
      phone: 'none',
    },
    {
      id: 'requireTotp',
      label: '2-step',
      title: 'Two-step sign-in is needed',
      value: ({ requireTotp }) => (requireTotp ? 'Needed' : null),
      cell: ({ requireTotp }) =>
        requireTotp ? <StatusPill tone="brand">Needed</StatusPill> : MISSING,
      width: 100,
      phone: 'none',
    },
    {
      id: 'users',
      label: 'People',
      value: ({ users }) => users,
      number: count,
      width: 90,
      phone: 'end',
    },
    {
      id: 'updatedAt',
      label: 'Last changed',
      value: ({ updatedAt }) => updatedAt ?? null,
      cell: ({ updatedAt, updatedBy }) =>
        [moment(updatedAt), updatedBy?.name].filter(Boolean).join(DOT),
      width: 240,
      muted: true,
      phone: 'none',
    },
  ];
}

export function RolesTab() {
  const state = useTableState();
  const open = state.get('open');
  if (open)
    return <RoleEditor key={`${open} ${state.get('copy')}`} id={open} copy={state.get('copy')} />;
  return <List />;
}

function List() {
  const state = useTableState();
  const navigate = useNavigate();
  const mayEdit = useCan(USERS, 'edit');
  const mayCreate = useCan(USERS, 'create');
  const roles = useRoles();
  const { data: catalogue } = useCatalogue();
  const columns = useMemo(() => columnsOf(catalogue), [catalogue]);
  const openNew = () => state.set({ open: 'new' }, true);
  const create = mayCreate && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={openNew}>
      New role
    </Button>
  );
  return (
    <UsersFrame
      tab="roles"
      aside={roles.data && plural(roles.data.length, 'role')}
      actions={create}
    >
      <DataTable<Role>
        id="roles"
        title="Roles"
        one="role"
        many="roles"
        bare
        icon={IconShieldLock}
        source={clientSource(roles)}
        columns={columns}
        rowId={idOf}
        rowLabel={nameOf}
        state={state}
        onOpen={({ id }) => state.set({ open: id }, true)}
        onNew={mayCreate ? openNew : undefined}
        rowActions={[
          {
            label: 'Edit',
            icon: IconPencil,
            shown: (role) => mayEdit && !role.lockedBecause,
            run: ({ id }) => state.set({ open: id }, true),
          },
          {
            label: 'Open',
            icon: IconEye,
            shown: (role) => !mayEdit || Boolean(role.lockedBecause),
            run: ({ id }) => state.set({ open: id }, true),
          },
          {
            label: 'Copy role',
            icon: IconCopy,
            shown: () => mayCreate,
            run: ({ id }) => state.set({ open: 'new', copy: id }, true),
          },
          {
            label: 'Show who has it',
            icon: IconUsers,
            run: ({ id }) => void navigate(tabPath('users', { role: id, status: 'all' })),
          },
        ]}
        empty={{
          text: 'A role says what its people may see and do. Make the first one.',
          action: create,
        }}
      />
    </UsersFrame>
  );
}
