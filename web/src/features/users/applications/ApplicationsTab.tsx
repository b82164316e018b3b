import { IconCheck, IconEye, IconUserPlus, IconX } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useCan } from '#/api/session';
import { DataTable } from '#/table/DataTable';
import { useServerSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState, writeSort } from '#/table/useTableState';
import { count, DOT, moment, plural } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { StatusPill, type Tone } from '#/ui/StatusPill';
import { type Application, type ApplicationState, applicationsApi } from '../api';
import { timeAgo } from '../labels';
import { Person } from '../parts/Avatar';
import { APPLICATIONS, UsersFrame } from '../UsersFrame';
import { ApplicationDrawer } from './ApplicationDrawer';

export const STATES: Record<ApplicationState, { label: string; tone: Tone }> = {
  pending: { label: 'Waiting', tone: 'warn' },
  approved: { label: 'Approved', tone: 'ok' },
  rejected: { label: 'Rejected', tone: 'neutral' },
};
const ORDER = ['pending', 'approved', 'rejected'] as const;

const idOf = ({ id }: Application) => id;
const nameOf = ({ name }: Application) => name;

function columnsOf(state: ApplicationState): Column<Application>[] {
  const decided = state !== 'pending';
  return [
    {
      id: 'name',
      label: 'Name',
      value: ({ name }) => name,
      cell: ({ name, email }) => <Person name={name} email={email} />,
      primary: true,
      sortable: false,
    },
    {
      id: 'email',
      label: 'Email',
      sortable: false,
      value: ({ email }) => email,
      width: 250,
      muted: true,
      phone: 'none',
    },
    {
      id: 'position',
      label: 'Position',
      sortable: false,
      value: ({ position }) => position,
      width: 160,
      phone: 'sub',
    },
    { id: 'store', label: 'Store', value: ({ store }) => store, width: 170, phone: 'sub' },
    {
      id: 'createdAt',
      label: 'Applied',
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <span title={moment(createdAt)}>{timeAgo(createdAt)}</span>,
      width: 130,
      muted: true,
      phone: decided ? 'none' : 'end',
    },
    ...(decided
      ? [
          {
            id: 'decidedAt',
            label: state === 'approved' ? 'Approved' : 'Rejected',
            sortable: false,
            value: ({ decidedAt }: Application) => decidedAt,
            cell: ({ decidedAt, decidedBy }: Application) => (
              <span title={moment(decidedAt)}>
                {[timeAgo(decidedAt), decidedBy?.name].filter(Boolean).join(DOT)}
              </span>
            ),
            width: 220,
            muted: true,
            phone: 'sub' as const,
          },
        ]
      : [
          {
            id: 'state',
            label: 'State',
            value: ({ state }: Application) => STATES[state].label,
            cell: ({ state }: Application) => (
              <StatusPill tone={STATES[state].tone}>{STATES[state].label}</StatusPill>
            ),
            width: 100,
            sortable: false,
            phone: 'none' as const,
          },
        ]),
  ];
}

/** Applications for access. */
export function ApplicationsTab() {
  const state = useTableState();
  const mayApprove = useCan(APPLICATIONS, 'approve');
  const shown = ORDER.find((one) => one === state.get('state')) ?? 'pending';
  const query = {
    state: shown,
    q: state.q || undefined,
    sort: writeSort(state.sort) ?? undefined,
  };
  const source = useServerSource<Application>(
    ['people', 'applications', 'page', query],
    (page, pageSize, signal) => applicationsApi.page({ ...query, page, pageSize }, signal),
  );
  const counts = useQueries({
    queries: ORDER.map((one) => ({
      queryKey: ['people', 'applications', 'count', one],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await applicationsApi.page({ state: one, pageSize: 1 }, signal)).total,
    })),
  });
  const columns = useMemo(() => columnsOf(shown), [shown]);
  const open = state.get('open');
  const known = source.rows.find((row) => row?.id === open);
  const openOne = ({ id }: Application) => state.set({ open: id }, true);

  return (
    <UsersFrame
      tab="applications"
      aside={source.pending || source.error ? undefined : plural(source.total, 'application')}
    >
      <DataTable<Application>
        id={`applications-${shown}`}
        key={shown}
        title="Applications"
        one="application"
        many="applications"
        bare
        icon={IconUserPlus}
        source={source}
        columns={columns}
        rowId={idOf}
        rowLabel={nameOf}
        state={state}
        placeholder="Filter by name, email or store"
        filters={
          <Segments
            label="State"
            value={shown}
            options={ORDER.map((one, i) => {
              const total = counts[i]?.data;
              const label = STATES[one].label;
              return {
                value: one,
                label: total === undefined ? label : `${label} ${count(total)}`,
              };
            })}
            onChange={(value) => state.set({ state: value === 'pending' ? null : value })}
          />
        }
        onOpen={openOne}
        rowActions={[
          ...(shown === 'pending' && mayApprove
            ? [
                { label: 'Approve…', icon: IconCheck, run: openOne },
                {
                  label: 'Reject…',
                  icon: IconX,
                  danger: true,
                  run: ({ id }: Application) => state.set({ open: id, reject: '1' }, true),
                },
              ]
            : [{ label: 'Open', icon: IconEye, run: openOne }]),
        ]}
        empty={{
          title: {
            pending: 'Nobody is waiting',
            approved: 'Nobody has been approved yet',
            rejected: 'Nobody has been rejected',
          }[shown],
          text: 'People apply on the sign-in page; their applications appear here by themselves.',
        }}
      />
      <ApplicationDrawer
        open={open}
        known={known}
        rejecting={state.get('reject') === '1'}
        onClose={() => state.set({ open: null, reject: null })}
      />
    </UsersFrame>
  );
}
