import { IconDeviceLaptopOff, IconDevices, IconUser, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useCan } from '#/api/session';
import { useSave } from '#/form/useSave';
import { DataTable } from '#/table/DataTable';
import { useServerSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState, writeSort } from '#/table/useTableState';
import { Dialog } from '#/ui/Dialog';
import { moment, plural } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { peopleChanged, personOf, type Session, sessionsApi, usersApi } from '../api';
import { describeDevice, kindLabel, providerLabel, timeAgo } from '../labels';
import { Person } from '../parts/Avatar';
import { DeviceIcon } from '../parts/SessionLine';
import { showError } from '../problems';
import { tabPath, USERS, UsersFrame } from '../UsersFrame';
import classes from './SessionsTab.module.css';

const columns: Column<Session>[] = [
  {
    id: 'userName',
    label: 'Person',
    value: ({ userName }) => userName,
    cell: ({ userName, userEmail }) => <Person name={userName} email={userEmail} />,
    primary: true,
    sortable: false,
  },
  {
    id: 'device',
    label: 'Where',
    value: ({ userAgent }) => describeDevice(userAgent).words,
    cell: ({ userAgent, current }) => {
      const { words, form } = describeDevice(userAgent);
      return (
        <span className={classes.device} title={userAgent}>
          <DeviceIcon form={form} />
          <span className={classes.words}>{words}</span>
          {current && <StatusPill tone="brand">This one</StatusPill>}
        </span>
      );
    },
    width: 270,
    sortable: false,
    phone: 'sub',
  },
  {
    id: 'kind',
    label: 'Kind',
    value: ({ kind }) => kindLabel(kind),
    width: 120,
    muted: true,
    sortable: false,
    phone: 'none',
  },
  {
    id: 'provider',
    label: 'Signed in by',
    value: ({ provider }) => providerLabel(provider),
    width: 120,
    muted: true,
    sortable: false,
    phone: 'none',
  },
  {
    id: 'origin',
    label: 'Address',
    value: ({ origin }) => origin,
    width: 150,
    muted: true,
    sortable: false,
    phone: 'none',
  },
  {
    id: 'createdAt',
    label: 'Since',
    value: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <span title={moment(createdAt)}>{timeAgo(createdAt)}</span>,
    width: 130,
    muted: true,
    sortable: false,
    phone: 'none',
  },
  {
    id: 'lastSeenAt',
    label: 'Last used',
    value: ({ lastSeenAt }) => lastSeenAt,
    cell: ({ lastSeenAt }) => <span title={moment(lastSeenAt)}>{timeAgo(lastSeenAt)}</span>,
    width: 130,
    sortable: false,
    phone: 'sub',
  },
];

const idOf = ({ id }: Session) => id;
const labelOf = ({ userName, userAgent }: Session) =>
  `${userName}, ${describeDevice(userAgent).words}`;

/** All open sessions. */
export function SessionsTab() {
  const state = useTableState();
  const navigate = useNavigate();
  const mayEdit = useCan(USERS, 'edit');
  const [asked, setAsked] = useState<{ sessions: Session[]; all: boolean; clear?(): void } | null>(
    null,
  );
  const query = useMemo(
    () => ({ q: state.q || undefined, sort: writeSort(state.sort) ?? undefined }),
    [state.q, state.sort],
  );
  const source = useServerSource<Session>(
    ['people', 'sessions', 'page', query],
    (page, pageSize, signal) => sessionsApi.page({ ...query, page, pageSize }, signal),
  );
  const openPerson = (session: Session) =>
    personOf(session)
      .then((id) => navigate(tabPath('users', { open: id, view: 'access' })))
      .catch(showError);

  return (
    <UsersFrame
      tab="sessions"
      aside={source.pending || source.error ? undefined : plural(source.total, 'session')}
    >
      <DataTable<Session>
        id="sessions"
        title="Sessions"
        one="session"
        many="sessions"
        bare
        icon={IconDevices}
        source={source}
        columns={columns}
        rowId={idOf}
        rowLabel={labelOf}
        state={state}
        placeholder="Filter by person, address or device"
        onOpen={(session) => void openPerson(session)}
        rowActions={[
          {
            label: 'Open person',
            icon: IconUser,
            run: (session) => void openPerson(session),
          },
          {
            label: 'End session',
            icon: IconX,
            shown: () => mayEdit,
            run: (session) => setAsked({ sessions: [session], all: false }),
          },
          {
            label: 'Sign out everywhere',
            icon: IconDeviceLaptopOff,
            danger: true,
            shown: () => mayEdit,
            run: (session) => setAsked({ sessions: [session], all: true }),
          },
        ]}
        bulkActions={
          mayEdit
            ? [
                {
                  label: 'End sessions',
                  danger: true,
                  run: (sessions, clear) => setAsked({ sessions, all: false, clear }),
                },
              ]
            : []
        }
        empty={{ title: 'Nobody is signed in', text: 'Open sessions of all users show here.' }}
      />
      {asked && (
        <EndDialog
          {...asked}
          onClose={(ended) => {
            if (ended) asked.clear?.();
            setAsked(null);
          }}
        />
      )}
    </UsersFrame>
  );
}

interface EndProps {
  sessions: Session[];
  /** Every session of the person, not only this one. */
  all: boolean;
  onClose(ended: boolean): void;
}

function EndDialog({ sessions, all, onClose }: EndProps) {
  const saving = useSave({ shows: 'toast' });
  const first = sessions[0];
  if (!first) return null;
  const many = sessions.length > 1;
  const mine = sessions.some(({ current }) => current);
  const where = describeDevice(first.userAgent).words;
  const title = all
    ? `Sign ${first.userName} out everywhere?`
    : many
      ? `End ${plural(sessions.length, 'session')}?`
      : `End the session of ${first.userName}?`;

  async function end(): Promise<number> {
    if (all && first) {
      const { ended } = await usersApi.signOut(await personOf(first));
      return ended;
    }
    // End the user's own session last: without it the others cannot be ended.
    const inOrder = [...sessions].sort((a, b) => Number(a.current) - Number(b.current));
    for (const session of inOrder) {
      await usersApi.endSession(await personOf(session), session.id);
    }
    return sessions.length;
  }

  return (
    <Dialog
      opened
      title={title}
      keep={many ? 'Keep sessions' : 'Keep signed in'}
      confirm={all ? 'Sign out everywhere' : many ? 'End sessions' : 'End session'}
      danger
      busy={saving.busy}
      onClose={() => onClose(false)}
      onConfirm={() =>
        void saving.run(end, {
          said: (ended) => `${plural(ended, 'session')} ended`,
          onSaved: () => onClose(true),
          onSettled: peopleChanged,
        })
      }
    >
      <p>
        {all
          ? `Every browser and program signed in as ${first.userEmail} is signed out within a second.`
          : many
            ? 'They are signed out within a second. What is typed there and not saved is lost.'
            : `${where} is signed out within a second. What is typed there and not saved is lost.`}
      </p>
      {mine && <p>One of them is the session you are using now.</p>}
    </Dialog>
  );
}
