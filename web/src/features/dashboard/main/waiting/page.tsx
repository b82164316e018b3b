import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { request } from '#/api/client';
import { useCan } from '#/api/session';
import { pages } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { moment, withDots } from '#/ui/format';
import { Page } from '#/ui/Page';
import { HOME, type WaitingItem } from '../api';

/** All items of a tile of Home, by the tile's own query. */
export default function WaitingPage() {
  const state = useTableState();
  const navigate = useNavigate();
  const hasHome = useCan('dashboard/home', 'view');
  const of = state.get('of') || 'failedWork';
  const query = useQuery({
    queryKey: [...HOME, 'waiting', of],
    queryFn: ({ signal }) =>
      request('GET', '/api/dashboard/main/waiting', { query: { of }, signal }),
  });
  const list = query.data;
  return (
    <Page
      fill
      title={list?.title ?? 'Waiting'}
      aside={list?.words}
      back={hasHome && <BackLink to={pages.dashboardMain.path} label="Home" />}
    >
      <DataTable<WaitingItem>
        bare
        id={`waiting-${of}`}
        title={list?.title ?? 'Waiting'}
        one="item"
        many="items"
        icon={IconCircleCheck}
        source={clientSource({ ...query, data: list?.items })}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ title }) => title}
        state={state}
        hrefOf={({ href }) => href}
        onOpen={({ href }) => void navigate(href)}
        empty={{ title: 'Nothing is waiting', text: 'New items show here as they come up.' }}
      />
    </Page>
  );
}

const COLUMNS: readonly Column<WaitingItem>[] = [
  { id: 'title', label: 'What', primary: true, value: ({ title }) => withDots(title) },
  { id: 'text', label: 'Details', width: 420, value: ({ text }) => text, phone: 'sub' },
  {
    id: 'late',
    label: 'Late',
    width: 80,
    value: ({ late }) => (late ? 'late' : ''),
    phone: 'end',
  },
  {
    id: 'at',
    label: 'Since',
    width: 170,
    value: ({ at }) => at,
    cell: ({ at }) => moment(at),
    phone: 'sub',
  },
];
