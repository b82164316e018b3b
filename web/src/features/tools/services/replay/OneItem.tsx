import { Select, Skeleton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useNameOf } from '#/api/names';
import { Problem } from '#/api/problem';
import { Chart, ViewSwitch } from '#/charts/Chart';
import charts from '#/charts/charts.module.css';
import { Legend } from '#/charts/Legend';
import { MARKS, REST } from '#/charts/marks';
import { Plot } from '#/charts/Plot';
import type { Series } from '#/charts/types';
import type { TableState } from '#/table/useTableState';
import { EmptyState } from '#/ui/EmptyState';
import { day, plural, qty, short, shortDay } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import type { Run } from '../api';
import { amountOf, near } from '../measures';
import { type Path, type Result, usePath } from './api';
import classes from './Replay.module.css';

const SHOWN = {
  stock: 'Stock at the end of the day',
  ordered: 'Ordered',
  lost: 'Not there of what was asked for',
} as const;
type Shown = keyof typeof SHOWN;

interface Props {
  run: Run;
  result: Result;
  state: TableState;
}

/** One item in one store by day: the source of the figures. */
export function OneItem({ run, result, state }: Props) {
  const stores = useNameOf('stores');
  const items = useNameOf('root-items');
  const [storeAsked = '', itemAsked = ''] = state.get('item').split('/');
  const there = result.rootItems.find(({ storeId }) => storeId === storeAsked);
  const within = there ?? result.rootItems.find(({ rootItemIds }) => rootItemIds.length > 0);
  const storeId = within?.storeId ?? '';
  const itemId = within?.rootItemIds.includes(itemAsked) ? itemAsked : '';
  const named = (ids: readonly string[], of: ReadonlyMap<string, { name: string }>) =>
    ids
      .map((value) => ({ value, label: of.get(value)?.name ?? '' }))
      .toSorted((a, b) => a.label.localeCompare(b.label));
  const path = usePath(run.id, storeId, itemId);
  const name = [items.get(itemId)?.name, stores.get(storeId)?.name].filter(Boolean).join(', ');
  return (
    <section className={classes.panel} aria-labelledby="item-title">
      <header className={classes.panelHead}>
        <h2 id="item-title">One item, day by day</h2>
        <div className={`${classes.pick} no-print`}>
          <Select
            size="xs"
            aria-label="Store"
            data={named(
              result.rootItems.flatMap((one) => (one.rootItemIds.length ? [one.storeId] : [])),
              stores,
            )}
            value={storeId || null}
            onChange={(id) => state.set({ item: id && `${id}/${itemId}` })}
            allowDeselect={false}
            searchable
          />
          <Select
            size="xs"
            aria-label="Item"
            placeholder="Choose an item"
            data={named(within?.rootItemIds ?? [], items)}
            value={itemId || null}
            onChange={(id) => state.set({ item: id && `${storeId}/${id}` })}
            allowDeselect={false}
            searchable
            limit={100}
            nothingFoundMessage="No such item was replayed"
          />
        </div>
      </header>
      {!itemId ? (
        <p className={classes.quiet}>
          Choose a store and an item to see its stock under each policy, day by day.
        </p>
      ) : path.error && !path.data ? (
        <EmptyState
          icon={IconAlertTriangle}
          compact
          role="alert"
          title="This could not be loaded"
          text={
            Problem.of(path.error)
              .fields.map(({ message }) => message)
              .join(' ') || Problem.of(path.error).message
          }
        />
      ) : path.data ? (
        <Picture path={path.data} name={name} state={state} />
      ) : (
        <Skeleton height={300} />
      )}
    </section>
  );
}

function Picture({ path, name, state }: { path: Path; name: string; state: TableState }) {
  const [lit, setLit] = useState<string | null>(null);
  const [shown, setShown] = useState<Shown>('stock');
  const table = state.get('days') === 'table';
  const { dates, demand, policies } = path;
  const unit = path.unit ?? '';
  const lines: Series[] = [
    ...policies.map((policy, i) => ({
      id: policy.name,
      label: policy.name,
      values: policy[shown].map(near),
      mark: i % MARKS,
    })),
    ...(shown === 'lost'
      ? []
      : [{ id: 'asked for', label: 'Asked for', values: demand.map(near), mark: REST }]),
  ];
  const missing = policies.map((policy) => {
    const days = policy.lost.filter((lost) => lost > 0).length;
    return `${policy.name}: ${plural(days, 'day')} with something missing`;
  });
  return (
    <Chart
      title={`${name}${unit && `, ${unit}`}`}
      summary={`${SHOWN[shown]}. ${missing.join('; ')}.`}
      height={300}
      legend={!table && <Legend kind="line" series={lines} lit={lit} onLight={setLit} />}
      aside={
        <>
          <Segments<Shown>
            label="Shown"
            value={shown}
            options={[
              { value: 'stock', label: 'Stock' },
              { value: 'ordered', label: 'Ordered' },
              { value: 'lost', label: 'Missing' },
            ]}
            onChange={setShown}
          />
          <ViewSwitch
            value={table ? 'table' : 'chart'}
            both={false}
            onChange={(next) => state.set({ days: next === 'table' ? next : null })}
          />
        </>
      }
    >
      {table ? (
        <div className={classes.days} role="region" aria-label="Days" tabIndex={0}>
          <table className={charts.data}>
            <thead>
              <tr>
                <th scope="col">Day</th>
                {lines.map(({ id, label }) => (
                  <th key={id} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {dates.map((date, i) => (
                <tr key={date}>
                  <th scope="row">{day(date)}</th>
                  {lines.map(({ id, values }) => (
                    <td key={id}>{qty(values[i])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <Plot
          kind="line"
          points={dates.map((date) => ({ key: date, label: shortDay(date), title: day(date) }))}
          series={lines}
          lit={lit}
          format={(value) => amountOf(value, unit)}
          short={short}
        />
      )}
    </Chart>
  );
}
