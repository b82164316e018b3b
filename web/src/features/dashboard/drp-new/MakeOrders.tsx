import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { useNameOf } from '#/api/names';
import { queries } from '#/api/queries';
import { useSave } from '#/form/useSave';
import { to } from '#/paths';
import { Dialog } from '#/ui/Dialog';
import { count, plural } from '#/ui/format';
import { makeOrders, planChanged } from './api';
import classes from './Drp.module.css';
import type { MadeOrders, PlanLine } from './wire';

interface Props {
  planRunId: string;
  /** The marked lines of one store, or all suggested orders of these stores. */
  lines?: readonly PlanLine[];
  stores?: readonly string[];
  /** Lines with something to order. */
  count: number;
  onClose(): void;
}

/** Turns the plan into draft orders, one per store, source and day. */
export function MakeOrders({ planRunId, lines, stores, count: found, onClose }: Props) {
  const names = useNameOf('stores');
  const saving = useSave({ shows: 'toast' });
  const [made, setMade] = useState<MadeOrders | null>(null);
  const retryKey = useRef(crypto.randomUUID());

  async function go(): Promise<void> {
    await saving.run(async () => {
      const body = lines
        ? { planRunId, lines: lines.map(({ id }) => ({ lineId: id })) }
        : { planRunId, storeIds: [...(stores ?? [])] };
      setMade(await makeOrders(body, retryKey.current));
      await Promise.all([planChanged(), queries.invalidateQueries({ queryKey: ['documents'] })]);
    });
  }

  if (made)
    return (
      <Dialog
        opened
        title={made.orders.length > 0 ? 'Orders made' : 'No orders made'}
        keep="Close"
        onClose={onClose}
      >
        {made.orders.length === 0 && <p>Everything marked is ordered already, or needs nothing.</p>}
        <ul className={classes.made_orders}>
          {made.orders.map(({ id, number, storeId, lines: n }) => (
            <li key={id}>
              <Link to={to('storesOrder', { id })}>{number}</Link>
              <span>{names.get(storeId)?.name}</span>
              <span className="num">{plural(n, 'item')}</span>
            </li>
          ))}
        </ul>
        {made.skipped.length > 0 && (
          <>
            <p>{plural(made.skipped.length, 'line was', 'lines were')} left out:</p>
            <ul className={classes.skipped}>
              {[...new Set(made.skipped.map(({ why }) => why))].map((why) => (
                <li key={why}>
                  {why} ({count(made.skipped.filter((one) => one.why === why).length)})
                </li>
              ))}
            </ul>
          </>
        )}
      </Dialog>
    );
  const shops = stores?.length ?? 1;
  return (
    <Dialog
      opened
      title="Make orders"
      confirm="Make orders"
      keep="Not now"
      busy={saving.busy}
      disabled={found === 0}
      onConfirm={() => void go()}
      onClose={onClose}
    >
      <p>
        {found === 0
          ? 'Nothing that is marked needs an order.'
          : `${plural(found, 'product')} of ${plural(shops, 'store')} ${found === 1 ? 'becomes a draft order' : 'become draft orders, one for each store, source and delivery day'}. Stores can change ${found === 1 ? 'it before submitting it' : 'them before submitting them'}.`}
      </p>
    </Dialog>
  );
}
