import { Button } from '@mantine/core';
import { IconClipboardCheck } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useCan } from '#/api/session';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { TableState } from '#/table/useTableState';
import { plural } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { StoreChoice } from '#/ui/StoreChoice';
import { usePhone } from '#/ui/usePhone';
import { usePlan } from './api';
import classes from './Drp.module.css';
import { LineDrawer } from './LineDrawer';
import { lineColumns } from './lineColumns';
import { MakeOrders } from './MakeOrders';
import type { PlanLine } from './wire';

export const ONLY: Readonly<Record<string, (line: PlanLine) => boolean>> = {
  order: ({ suggested }) => suggested > 0,
  risk: ({ atRisk }) => atRisk,
  capped: ({ caps }) => caps.length > 0,
};

/** One store's plan, product by product. */
export function PlanTab({ state }: { state: TableState }) {
  const storeId = state.get('store');
  const query = usePlan(storeId, state.get('plan'));
  const mayOrder = useCan('stores/storeOrders', 'create');
  const [ordering, setOrdering] = useState<readonly PlanLine[] | null>(null);
  const phone = usePhone();
  const only = state.get('only');
  const plan = query.data;
  const rows = useMemo(() => {
    const is = ONLY[only];
    return is ? plan?.lines.filter(is) : plan?.lines;
  }, [plan, only]);
  const columns = useMemo(() => lineColumns(rows ?? [], phone), [rows, phone]);
  const counts = (is: string) => plan?.lines.filter(ONLY[is] ?? (() => true)).length ?? 0;
  const open = plan?.lines.find(({ id }) => id === state.get('line'));

  return (
    <>
      {plan?.stale && (
        <p className={classes.notice} role="status">
          {plan.stale}
        </p>
      )}
      {plan && <Notes notes={plan.notes.map(({ why }) => why)} />}
      <DataTable<PlanLine>
        bare
        totals
        id="drp-plan"
        title="Plan"
        one="product"
        many="products"
        icon={IconClipboardCheck}
        source={clientSource({ ...query, data: rows })}
        columns={columns}
        rowId={({ id }) => id}
        rowLabel={({ name }) => name}
        state={state}
        onOpen={({ id }) => state.set({ line: id }, true)}
        faded={({ suggested, atRisk }) => suggested === 0 && !atRisk}
        narrowed={only !== ''}
        onClear={() => state.set({ q: null, only: null })}
        filters={
          <>
            <StoreChoice
              value={storeId}
              onChange={(id) => state.set({ store: id, line: null }, true)}
            />
            <button
              type="button"
              className={classes.all}
              onClick={() => state.set({ store: null, line: null, only: null, q: null }, true)}
            >
              All stores
            </button>
            <Segments
              label="Which"
              value={only}
              options={[
                { value: '', label: `All ${plan?.lines.length ?? ''}` },
                { value: 'order', label: `To order ${counts('order')}` },
                { value: 'risk', label: `Running out ${counts('risk')}` },
                { value: 'capped', label: `Held back ${counts('capped')}` },
              ]}
              onChange={(next) => state.set({ only: next || null })}
            />
          </>
        }
        pickable={isToOrder}
        bulkActions={
          mayOrder && plan?.planRunId
            ? [
                {
                  label: 'Make orders',
                  run: (picked, clear) => {
                    setOrdering(picked);
                    clear();
                  },
                },
              ]
            : undefined
        }
        empty={{
          title: 'Nothing is planned for this store',
          text: 'Its lead and review days, its forecast or its products are missing. If no reason is named above, look at the settings.',
          action: (
            <Button variant="default" onClick={() => state.set({ tab: 'settings' }, true)}>
              Open settings
            </Button>
          ),
        }}
      />
      <LineDrawer line={open} state={state} onClose={() => state.set({ line: null })} />
      {ordering && plan?.planRunId && (
        <MakeOrders
          planRunId={plan.planRunId}
          lines={ordering}
          count={ordering.length}
          onClose={() => setOrdering(null)}
        />
      )}
    </>
  );
}

/** No order was made for it yet. */
const isToOrder = ({ suggested, orderId }: PlanLine) => suggested > 0 && !orderId;

/** What could not be planned; several products in one line, which expands. */
function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length < 2) {
    return notes.map((why) => (
      <p key={why} className={classes.notice} data-tone="warn">
        {why}
      </p>
    ));
  }
  return (
    <details className={classes.notice} data-tone="warn">
      <summary>{plural(notes.length, 'product')} could not be planned</summary>
      <ul>
        {notes.map((why) => (
          <li key={why}>{why}</li>
        ))}
      </ul>
    </details>
  );
}
