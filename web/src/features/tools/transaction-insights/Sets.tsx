import { IconBasket } from '@tabler/icons-react';
import { useMemo, useRef } from 'react';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import { FilterBox } from '#/table/Toolbar';
import type { Column } from '#/table/types';
import type { TableState } from '#/table/useTableState';
import { ExportButton } from '#/ui/ExportButton';
import { count, DOT, MISSING, percent } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import type { BoughtTogether, Insights, TableName } from './api';
import classes from './Insights.module.css';
import { idOf, nameOf, times } from './labels';
import { SetDrawer } from './SetDrawer';

interface Props {
  answer: Insights;
  compared: boolean;
  state: TableState;
  pending: boolean;
  file?: (table: TableName) => (format: 'csv' | 'xlsx') => string;
}

type Row = BoughtTogether & { id: string; gone: boolean };

/** Items bought together more often than by chance. */
export function Sets({ answer, compared, state, pending, file }: Props) {
  const size = state.get('sets') === 'triples' ? 'triples' : 'pairs';
  const which = compared && ['came', 'went'].includes(state.get('which')) ? state.get('which') : '';
  const sets = answer[size];
  const rows = useMemo<Row[]>(() => {
    const gone = which === 'went';
    const all = gone ? sets.went : sets.items;
    const shown = which === 'came' ? all.filter(({ before }) => before == null) : all;
    return shown.map((set) => ({ ...set, id: idOf(set), gone }));
  }, [sets, which]);
  const columns = useMemo(() => columnsOf(compared, size), [compared, size]);
  const open = state.get('open');
  const box = useRef<HTMLInputElement>(null);
  const came = sets.items.filter(({ before }) => before == null).length;
  const order = (next: string) => state.set({ order: next === 'count' ? next : null, sort: null });

  return (
    <Panel
      title="Bought together"
      aside={
        <div className={`${classes.aside} no-print`}>
          <Segments
            label="How many items"
            value={size}
            options={[
              { value: 'pairs', label: `Pairs ${count(answer.pairs.total)}` },
              { value: 'triples', label: `Threes ${count(answer.triples.total)}` },
            ]}
            onChange={(next) => state.set({ sets: next === 'triples' ? next : null, open: null })}
          />
          {compared && (
            <Segments
              label="Which"
              value={which}
              options={[
                { value: '', label: 'All' },
                { value: 'came', label: `New ${count(came)}` },
                { value: 'went', label: `Gone ${count(sets.went.length)}` },
              ]}
              onChange={(next) => state.set({ which: next || null })}
            />
          )}
          <Segments
            label="First"
            value={state.get('order') === 'count' ? 'count' : 'lift'}
            options={[
              { value: 'lift', label: 'Closest first' },
              { value: 'count', label: 'Most often first' },
            ]}
            onChange={order}
          />
          <FilterBox
            box={box}
            value={state.q}
            wait={60}
            placeholder="Find an item"
            onChange={(q) => state.set({ q })}
          />
          {file && <ExportButton href={file(size)} />}
        </div>
      }
    >
      <p className={classes.explained}>
        Sets on at least 30 tickets that come more than 1.2 times as often as chance would bring
        them together.
        {sets.total > sets.items.length &&
          which !== 'went' &&
          ` The first ${count(sets.items.length)} of ${count(sets.total)} are shown; the file has more.`}
      </p>
      <div className={classes.sets}>
        <DataTable<Row>
          bare
          plain
          id="transaction-insights"
          title="Bought together"
          one={size === 'pairs' ? 'pair' : 'three'}
          many={size === 'pairs' ? 'pairs' : 'threes'}
          icon={IconBasket}
          source={clientSource({
            data: rows,
            isPending: pending,
            error: null,
            refetch: () => undefined,
          })}
          columns={columns}
          rowId={({ id }) => id}
          rowLabel={nameOf}
          state={state}
          narrowed={which !== ''}
          onClear={() => state.set({ q: null, which: null })}
          onOpen={({ id }) => state.set({ open: id }, true)}
          faded={({ gone }) => gone}
          empty={{
            title: 'Nothing is bought together often enough',
            text: 'Choose more days or more stores: a pair needs at least 30 tickets.',
          }}
        />
      </div>
      <SetDrawer
        set={rows.find(({ id }) => id === open) ?? null}
        onClose={() => state.set({ open: null })}
      />
    </Panel>
  );
}

function columnsOf(compared: boolean, size: 'pairs' | 'triples'): Column<Row>[] {
  return [
    { id: 'name', label: 'Items', primary: true, value: nameOf },
    {
      id: 'lift',
      label: 'Times as often',
      width: 130,
      value: ({ lift }) => lift,
      number: (lift) => (lift == null ? MISSING : `${times(lift)}×`),
      phone: 'end',
    },
    {
      id: 'count',
      label: 'Tickets',
      width: 100,
      value: ({ count: tickets }) => tickets,
      number: count,
      phone: 'sub',
    },
    {
      id: 'support',
      label: 'Of all tickets',
      width: 120,
      value: ({ support }) => support,
      number: (value) => percent(value, 2),
    },
    {
      id: 'confidence',
      label: size === 'pairs' ? 'If first, second too' : 'If others, last too',
      title: 'Of the tickets with all but the last item, how many have the last item too',
      width: 160,
      value: ({ items }) => items.at(-1)?.confidence,
      number: (value) => percent(value),
    },
    {
      id: 'first',
      label: size === 'pairs' ? 'If second, first too' : 'If others, first too',
      title: 'Of the tickets with all but the first item, how many have the first item too',
      width: 160,
      value: ({ items }) => items[0]?.confidence,
      number: (value) => percent(value),
    },
    ...(compared
      ? [
          {
            id: 'before',
            label: 'Before',
            width: 130,
            value: ({ before }: Row) => before?.count,
            cell: ({ before, gone }: Row) =>
              before ? `${count(before.count)}${DOT}${times(before.lift)}×` : gone ? 'gone' : 'new',
          },
        ]
      : []),
  ];
}
