import { Button, Drawer } from '@mantine/core';
import { IconAlertTriangle, IconInbox } from '@tabler/icons-react';
import { useMemo, useRef } from 'react';
import { Link } from 'react-router';
import { requestAt } from '#/api/client';
import type { components } from '#/api/schema.gen';
import { mayOpen, useMe } from '#/api/session';
import { to } from '#/paths';
import drilldownClasses from '#/reports/Drilldown.module.css';
import type { ReportState } from '#/reports/question/useReport';
import { span } from '#/reports/question/weeks';
import { Grid } from '#/table/Grid';
import { useServerSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { EmptyState } from '#/ui/EmptyState';
import { count, day, MISSING, moment, plural, qty } from '#/ui/format';
import textClasses from '#/ui/Text.module.css';
import { usePhone } from '#/ui/usePhone';

/** A figure of a person: what it is called, and what its rows are. */
const FIGURES = {
  counts: { label: 'Counts', one: 'count', many: 'counts' },
  corrections: { label: 'Corrections', one: 'correction', many: 'corrections' },
  late: { label: 'Late', one: 'late count', many: 'late counts' },
  days: { label: 'Days', one: 'day of a store', many: 'days of stores' },
  stores: { label: 'Stores', one: 'store', many: 'stores' },
} as const;

export type FigureOfPerson = keyof typeof FIGURES;

const SESSIONS: Readonly<Record<string, string>> = { opening: 'opening', closing: 'closing' };

type PersonCounts = components['schemas']['PersonCounts'];
type PersonCount = components['schemas']['PersonCount'];

/** Opens what a figure of a person is made of. */
export const openCounts =
  (state: ReportState, figure: FigureOfPerson) =>
  ({ id }: { id: string }): void =>
    state.set({ person: id, figure }, true);

const isFigure = (text: string): text is FigureOfPerson => text in FIGURES;

/** What a figure of a person is made of: their counts, or the days and stores they counted. */
export function CountsDrawer({
  state,
  nameOf,
}: {
  state: ReportState;
  nameOf(uid: string): string | undefined;
}) {
  const [person, asked] = [state.get('person'), state.get('figure')];
  const last = useRef<{ person: string; figure: FigureOfPerson } | null>(null);
  if (person) last.current = { person, figure: isFigure(asked) ? asked : 'counts' };
  // Keeps its content while it slides out.
  const shown = last.current;
  return (
    <DrawerFrame
      opened={Boolean(person)}
      title={shown ? `${nameOf(shown.person) ?? 'Person'}: ${FIGURES[shown.figure].label}` : ''}
      size={920}
      onClose={() => state.set({ person: null, figure: null })}
    >
      {shown && <Counts key={`${shown.person} ${shown.figure}`} state={state} {...shown} />}
    </DrawerFrame>
  );
}

interface Props {
  state: ReportState;
  person: string;
  figure: FigureOfPerson;
}

function Counts({ state, person, figure }: Props) {
  const me = useMe();
  const phone = usePhone();
  const grid = useRef(null);
  const { from, to: until, storeIds, areaIds } = state.filters;
  const query = {
    from,
    to: until,
    storeIds: storeIds.join(',') || undefined,
    areaIds: areaIds.join(',') || undefined,
    uid: person,
    figure,
  };
  const source = useServerSource<PersonCount>(
    ['reports', 'count-people', 'counts', query],
    (page, pageSize, signal) =>
      requestAt<PersonCounts>('GET', '/api/reports/count-people/counts', {
        query: { ...query, page: String(page), pageSize: String(pageSize) },
        signal,
      }),
  );
  const mayCount = mayOpen(me, 'storesCount');
  const columns = useMemo(
    () => columnsOf(figure, mayCount, { from, to: until }),
    [figure, mayCount, from, until],
  );
  const { one, many } = FIGURES[figure];
  return (
    <Drawer.Body className={drilldownClasses.body}>
      <p className={drilldownClasses.caption}>
        <span>{span({ from, to: until })}</span>
        <strong className="num">
          {source.error ? MISSING : source.pending ? '…' : plural(source.total, one, many)}
        </strong>
      </p>
      <Grid<PersonCount>
        sort={null}
        onSort={() => {}}
        picked={{}}
        label="Counts of this figure"
        rows={source.rows.map((row, i) => ({ key: String(i), row }))}
        columns={columns}
        phone={phone}
        pending={source.pending}
        rowLabel={({ storeName, itemName, date }) =>
          [itemName, storeName, date && day(date)].filter(Boolean).join(' ')
        }
        need={source.need}
        grid={grid}
      >
        {source.error ? (
          <EmptyState
            icon={IconAlertTriangle}
            role="alert"
            title="The counts could not be loaded"
            text={source.error.message}
            action={
              <Button variant="default" onClick={source.retry}>
                Try again
              </Button>
            }
          />
        ) : !source.pending && source.rows.length === 0 ? (
          <EmptyState
            icon={IconInbox}
            title="Nothing behind this figure"
            text="It is zero, or has changed since the report was loaded."
          />
        ) : null}
      </Grid>
    </Drawer.Body>
  );
}

/** The columns of a figure; each row leads to its count, a store to its part of the report. */
function columnsOf(
  figure: FigureOfPerson,
  mayCount: boolean,
  range: { from: string; to: string },
): Column<PersonCount>[] {
  const when = ({ date, session }: PersonCount) =>
    [date && day(date), session && SESSIONS[session]].filter(Boolean).join(', ');
  const store: Column<PersonCount> = {
    id: 'store',
    label: 'Store',
    value: ({ storeName }) => storeName,
    width: 170,
    phone: 'sub',
  };
  const sums: Column<PersonCount>[] = (['counts', 'corrections', 'late'] as const).map((of) => ({
    id: of,
    label: FIGURES[of].label,
    value: (row) => row[of],
    number: count,
    width: 104,
    phone: of === 'counts' ? 'end' : 'none',
  }));
  const dated: Column<PersonCount> = {
    id: 'when',
    label: 'Day',
    value: when,
    cell: (row) =>
      mayCount ? (
        <Link
          className={textClasses.link}
          to={to('storesCount', null, {
            store: row.storeId,
            date: row.date,
            session: row.session || undefined,
          })}
        >
          {when(row)}
        </Link>
      ) : (
        when(row)
      ),
    width: 190,
    primary: true,
  };
  const all: Column<PersonCount>[] =
    figure === 'stores'
      ? [
          {
            ...store,
            primary: true,
            cell: ({ storeId, storeName }) => (
              <Link
                className={textClasses.link}
                to={to('reportCountPeople', null, { ...range, stores: storeId })}
              >
                {storeName}
              </Link>
            ),
          },
          ...sums,
        ]
      : figure === 'days'
        ? [dated, store, ...sums]
        : [
            dated,
            store,
            {
              id: 'item',
              label: 'Item',
              value: ({ itemName, itemId }) => itemName ?? itemId,
              width: 170,
              phone: 'sub',
            },
            {
              id: 'qty',
              label: 'Counted',
              value: (row) => row.qty,
              number: qty,
              width: 96,
              phone: 'end',
            },
            {
              id: 'unit',
              label: 'Unit',
              value: ({ uomCode }) => uomCode,
              muted: true,
              width: 64,
              phone: 'sub',
            },
            {
              id: 'at',
              label: 'At',
              value: ({ at }) => at,
              cell: ({ at }) => moment(at),
              width: 160,
              phone: 'none',
            },
          ];
  return all.map((column) => ({ ...column, sortable: false }));
}
