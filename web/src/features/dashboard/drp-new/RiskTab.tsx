import { Skeleton } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useNameOf } from '#/api/names';
import { Problem } from '#/api/problem';
import type { TableState } from '#/table/useTableState';
import { EmptyState } from '#/ui/EmptyState';
import { day, plural, qty, shortDay } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { StoreChoice, useMyStores } from '#/ui/StoreChoice';
import { useHeat } from './api';
import classes from './Drp.module.css';
import { round } from './labels';
import { coverLevel, LEVELS, type Level } from './risk';

/** A store's projected stock by day, if nothing more is ordered. */
export function RiskTab({ state }: { state: TableState }) {
  const { stores } = useMyStores();
  const products = useNameOf('products');
  const storeId = state.get('store') || (stores[0]?.id ?? '');
  const query = useHeat(storeId);
  const all = state.get('only') === 'all';
  const heat = query.data;
  const rows = useMemo(() => {
    const found = (heat?.rows ?? []).filter(({ outOn }) => all || outOn !== null);
    return found.toSorted(
      (a, b) =>
        (a.outOn ?? '9').localeCompare(b.outOn ?? '9') ||
        (products.get(a.productId)?.name ?? '').localeCompare(
          products.get(b.productId)?.name ?? '',
        ),
    );
  }, [heat, all, products]);

  return (
    <>
      <div className={`${classes.bar} no-print`}>
        <StoreChoice value={storeId} onChange={(id) => state.set({ store: id }, true)} />
        <Segments
          label="Which"
          value={all ? 'all' : ''}
          options={[
            { value: '', label: 'Running out' },
            { value: 'all', label: 'All products' },
          ]}
          onChange={(next) => state.set({ only: next || null })}
        />
        <ul className={classes.levels} aria-label="Legend">
          {(Object.keys(LEVELS) as Level[]).map((level) => (
            <li key={level}>
              <i data-level={level} aria-hidden="true">
                {LEVELS[level].sign}
              </i>
              {LEVELS[level].label}
            </li>
          ))}
        </ul>
      </div>
      {query.error && !heat ? (
        <EmptyState
          icon={IconCircleCheck}
          role="alert"
          title="The stock to come could not be worked out"
          text={Problem.of(query.error).message}
        />
      ) : !heat ? (
        <Skeleton className={classes.fillFrame} radius="md" />
      ) : rows.length === 0 ? (
        <EmptyState
          icon={IconCircleCheck}
          title="Nothing will run out"
          text={`What is there and on its way lasts for ${plural(heat.dates.length, 'day')}.`}
        />
      ) : (
        <section className={classes.fillFrame} aria-label="Stock-outs to come" tabIndex={0}>
          <table className={classes.heat}>
            <thead>
              <tr>
                <th scope="col">Product</th>
                <th scope="col">Runs out</th>
                {heat.dates.map((date) => (
                  <th key={date} scope="col" title={day(date)}>
                    {shortDay(date)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const name = products.get(row.productId)?.name ?? '';
                return (
                  <tr key={row.productId}>
                    <th scope="row">
                      <button
                        type="button"
                        onClick={() =>
                          state.set({ tab: 'days', product: row.productId, store: storeId }, true)
                        }
                      >
                        {name}
                      </button>
                    </th>
                    <td data-risk={row.outOn ? true : undefined}>
                      {row.outOn ? shortDay(row.outOn) : '–'}
                    </td>
                    {row.stock.map((value, i) => {
                      const level = coverLevel(value, row.stock[i + 1]);
                      return (
                        <td
                          key={heat.dates[i]}
                          className="num"
                          data-level={level}
                          title={`${name}, ${day(heat.dates[i])}: ${qty(round(value))} ${row.unit ?? ''}`}
                        >
                          {value === null ? '–' : qty(round(value, Math.abs(value) < 10 ? 1 : 0))}
                        </td>
                      );
                    })}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}
