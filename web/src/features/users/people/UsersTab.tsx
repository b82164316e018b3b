import { Button, Select } from '@mantine/core';
import {
  IconDeviceLaptopOff,
  IconEye,
  IconFileImport,
  IconKey,
  IconLink,
  IconPencil,
  IconPlus,
  IconUserCheck,
  IconUserOff,
  IconUsers,
} from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useNames } from '#/api/names';
import { useCan, useMe } from '#/api/session';
import { DataTable } from '#/table/DataTable';
import { useServerSource } from '#/table/sources';
import type { BulkAction } from '#/table/types';
import { useTableState, writeSort } from '#/table/useTableState';
import { plural } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { usePhone } from '#/ui/usePhone';
import { type Status, type User, usersApi } from '../api';
import { useRoles, useStoreName } from '../queries';
import { USERS, UsersFrame } from '../UsersFrame';
import { BulkDialog, type BulkKind } from './BulkDialog';
import { columnsOf } from './columns';
import { ImportDialog } from './ImportDialog';
import { usePersonActions } from './PersonDialogs';
import { UserDrawer } from './UserDrawer';
import classes from './UsersTab.module.css';

const SHOWN = [
  { value: 'active', label: 'Active' },
  { value: 'disabled', label: 'Disabled' },
  { value: 'all', label: 'All' },
] as const;
type Shown = (typeof SHOWN)[number]['value'];

const STATUS: Record<Shown, Status | undefined> = {
  active: 'Active',
  disabled: 'Disabled',
  all: undefined,
};

const idOf = ({ id }: User) => id;
const nameOf = ({ name, email }: User) => name || email;

export function UsersTab() {
  const state = useTableState();
  const me = useMe();
  const phone = usePhone();
  const mayCreate = useCan(USERS, 'create');
  const mayEdit = useCan(USERS, 'edit');
  const mayImport = useCan(USERS, 'import');
  const mayExport = useCan(USERS, 'export');
  const storeName = useStoreName();
  const columns = useMemo(() => columnsOf(storeName), [storeName]);
  const personActions = usePersonActions();
  const [bulk, setBulk] = useState<{ kind: BulkKind; users: User[]; clear(): void } | null>(null);
  const [importing, setImporting] = useState(false);

  const shown = SHOWN.find(({ value }) => value === state.get('status'))?.value ?? 'active';
  const roleId = state.get('role');
  const storeId = state.get('store');
  const query = {
    q: state.q || undefined,
    status: STATUS[shown],
    roleId: roleId || undefined,
    storeId: storeId || undefined,
    sort: writeSort(state.sort) ?? undefined,
  };
  const source = useServerSource<User>(['people', 'users', 'page', query], (page, size, signal) =>
    usersApi.page({ ...query, page, pageSize: size }, signal),
  );
  const open = state.get('open');
  const known = source.rows.find((row) => row?.id === open);

  /** Users with more rights or stores than the signed-in user cannot be changed. */
  const within = (user: User) => mayEdit && !user.lockedBecause;
  const other = (user: User) => within(user) && user.uid !== me.user.uid;

  const bulkOf = (label: string, kind: BulkKind, danger?: boolean): BulkAction<User> => ({
    label,
    danger,
    run: (users, clear) => setBulk({ kind, users, clear }),
  });
  const bulkActions = !mayEdit
    ? []
    : phone
      ? [bulkOf('Change…', 'role')]
      : [
          bulkOf('Change role', 'role'),
          bulkOf('Change stores', 'stores'),
          bulkOf('Enable', 'enable'),
          bulkOf('Disable', 'disable', true),
        ];

  const openNew = () => state.set({ open: 'new' }, true);
  const create = mayCreate && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={openNew}>
      New user
    </Button>
  );

  return (
    <UsersFrame
      tab="users"
      aside={source.pending || source.error ? undefined : plural(source.total, 'person', 'people')}
      actions={
        <>
          {mayImport && (
            <Button
              variant="default"
              leftSection={<IconFileImport size={17} aria-hidden />}
              className={classes.import}
              onClick={() => setImporting(true)}
            >
              Import
            </Button>
          )}
          {create}
        </>
      }
    >
      <DataTable<User>
        id="users"
        title="Users"
        one="person"
        many="people"
        bare
        icon={IconUsers}
        source={source}
        columns={columns}
        rowId={idOf}
        rowLabel={nameOf}
        state={state}
        placeholder="Filter by name or email"
        narrowed={shown !== 'all' || Boolean(roleId || storeId)}
        onClear={() => state.set({ q: null, role: null, store: null, status: 'all' })}
        filters={
          <>
            <Segments
              label="Status"
              value={shown}
              options={SHOWN}
              onChange={(value) => state.set({ status: value === 'active' ? null : value })}
            />
            <RoleFilter value={roleId} onChange={(role) => state.set({ role })} />
            <StoreFilter value={storeId} onChange={(store) => state.set({ store })} />
          </>
        }
        faded={({ status }) => status !== 'Active'}
        onOpen={({ id }) => state.set({ open: id }, true)}
        onNew={mayCreate ? openNew : undefined}
        rowActions={[
          {
            label: 'Edit',
            icon: IconPencil,
            shown: within,
            run: ({ id }) => state.set({ open: id }, true),
          },
          {
            label: 'Open',
            icon: IconEye,
            shown: (user) => !within(user),
            run: ({ id }) => state.set({ open: id }, true),
          },
          {
            label: 'Reset link',
            icon: IconLink,
            shown: (user) => within(user) && user.status === 'Active',
            run: (user) => personActions.ask('resetLink', user),
          },
          {
            label: 'Temporary password',
            icon: IconKey,
            shown: (user) => other(user) && user.status === 'Active',
            run: (user) => personActions.ask('tempPassword', user),
          },
          {
            label: 'Sign out everywhere',
            icon: IconDeviceLaptopOff,
            shown: (user) => within(user) && user.status === 'Active',
            run: (user) => personActions.ask('signOut', user),
          },
          {
            label: 'Disable',
            icon: IconUserOff,
            danger: true,
            shown: (user) => other(user) && user.status === 'Active',
            run: (user) => personActions.ask('status', user),
          },
          {
            label: 'Enable',
            icon: IconUserCheck,
            shown: (user) => other(user) && user.status !== 'Active',
            run: (user) => personActions.ask('status', user),
          },
        ]}
        bulkActions={bulkActions}
        exportHref={mayExport ? (format) => usersApi.exportHref(format, query) : undefined}
        empty={{ text: 'Add the people who work here, or import a file of them.', action: create }}
      />
      <UserDrawer
        open={open}
        known={known}
        actions={personActions}
        onOpen={(id) => state.set({ open: id })}
        onClose={() => state.set({ open: null, view: null })}
      />
      {personActions.dialogs}
      {bulk && (
        <BulkDialog
          kind={bulk.kind}
          users={bulk.users}
          anyKind={phone}
          onDone={bulk.clear}
          onClose={() => setBulk(null)}
        />
      )}
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
    </UsersFrame>
  );
}

interface FilterProps {
  value: string;
  onChange(value: string | null): void;
}

function RoleFilter({ value, onChange }: FilterProps) {
  const { data: roles = [] } = useRoles();
  return (
    <Select
      size="xs"
      className={classes.filter}
      aria-label="Role"
      placeholder="All roles"
      data-set={value || undefined}
      data={[
        { value: 'none', label: 'No role' },
        ...roles.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={value || null}
      searchable
      openOnFocus={false}
      clearable
      clearButtonProps={{ 'aria-label': 'All roles' }}
      nothingFoundMessage="Nothing matches"
      onChange={onChange}
    />
  );
}

function StoreFilter({ value, onChange }: FilterProps) {
  const { data: stores = [] } = useNames('stores');
  return (
    <Select
      size="xs"
      className={classes.filter}
      aria-label="Store"
      placeholder="All stores"
      data={stores.map(({ id, name }) => ({ value: id, label: name }))}
      value={value || null}
      searchable
      openOnFocus={false}
      limit={100}
      clearable
      clearButtonProps={{ 'aria-label': 'All stores' }}
      nothingFoundMessage="Nothing matches"
      onChange={onChange}
    />
  );
}
