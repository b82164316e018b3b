import { useNameOf } from '#/api/names';
import type { TableState } from '#/table/useTableState';
import { count, percent } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import type { InStore, Result } from './api';
import { pesos } from './labels';
import classes from './Replay.module.css';

const MEASURES = {
  out: { label: 'Days out', of: ({ outDays }: InStore) => count(outDays) },
  stock: { label: 'Stock', of: (one: InStore) => pesos(one.averageStockAmount) },
  service: { label: 'Service', of: ({ fillRate }: InStore) => percent(fillRate) },
  lost: { label: 'Lost', of: ({ lostAmount }: InStore) => pesos(lostAmount) },
  orders: { label: 'Orders', of: ({ orders }: InStore) => count(orders) },
} as const;
type Measure = keyof typeof MEASURES;

const OPTIONS = Object.entries(MEASURES).map(([value, { label }]) => ({
  value: value as Measure,
  label,
}));

/** One figure of every store, by policy. */
export function StoresTable({ result, state }: { result: Result; state: TableState }) {
  const names = useNameOf('stores');
  const measure = OPTIONS.find(({ value }) => value === state.get('measure'))?.value ?? 'out';
  const { policies, byStore } = result;
  const stores = [...new Set(byStore.map(({ storeId }) => storeId))]
    .map((id) => ({ id, name: names.get(id)?.name ?? '' }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const at = new Map(byStore.map((one) => [`${one.storeId} ${one.policy}`, one]));
  return (
    <section className={classes.panel} aria-labelledby="stores-title">
      <header className={classes.panelHead}>
        <h2 id="stores-title">By store</h2>
        <div className={`${classes.end} no-print`}>
          <Segments
            label="Figure"
            value={measure}
            options={OPTIONS}
            onChange={(next) => state.set({ measure: next === 'out' ? null : next })}
          />
        </div>
      </header>
      <div className={classes.wide} role="region" aria-label="Figures by store" tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Store</th>
              {policies.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {stores.map(({ id, name }) => (
              <tr key={id}>
                <th scope="row">{name}</th>
                {policies.map((policy, i) => {
                  const one = at.get(`${id} ${i}`);
                  return <td key={policy.name}>{one ? MEASURES[measure].of(one) : '–'}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
