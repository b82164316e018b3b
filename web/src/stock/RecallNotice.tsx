import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useCan } from '#/api/session';
import { to } from '#/paths';
import { plural, qty } from '#/ui/format';
import { LOTS_PAGE, type Recall, useRecalls } from './api';
import classes from './RecallNotice.module.css';
import { WRITES_OFF, writeOffAddress } from './writeOff';

interface RecalledLot extends Recall {
  stores: Recall[];
}

/** One entry per lot, with the places that have it. */
export function byLot(items: readonly Recall[]): RecalledLot[] {
  const lots = new Map<string, RecalledLot>();
  for (const item of items) {
    const key = `${item.productId} ${item.lot}`;
    const known = lots.get(key);
    if (known) known.stores.push(item);
    else lots.set(key, { ...item, stores: [item] });
  }
  return [...lots.values()];
}

/** Lots shown before the rest is folded. */
const SHOWN = 2;

/** Shows recalled lots in or on the way to a store, or to any of the user's stores. */
export function RecallNotice({ storeId = '' }: { storeId?: string }) {
  const { data } = useRecalls(storeId);
  const maySeeLots = useCan(LOTS_PAGE);
  const mayWriteOff = useCan(...WRITES_OFF);
  const [all, setAll] = useState(false);
  const lots = byLot(data?.items ?? []);
  if (lots.length === 0) return null;
  const shown = all ? lots : lots.slice(0, SHOWN);
  return (
    <section className={classes.notice} aria-label="Recalled">
      <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
      <ul>
        {shown.map((lot) => (
          <li key={`${lot.productId} ${lot.lot}`}>
            <b>
              Recalled:{' '}
              {maySeeLots ? (
                <Link to={to('stockLot', { lot: lot.lot }, { product: lot.productId })}>
                  lot {lot.lot}
                </Link>
              ) : (
                `lot ${lot.lot}`
              )}{' '}
              of {lot.name}
            </b>
            {lot.reason && ` (${lot.reason})`}. Take it off the shelf and write it off.{' '}
            <span>{whereOf(lot.stores)}</span>
            {mayWriteOff && <WriteOff lot={lot} />}
          </li>
        ))}
      </ul>
      {lots.length > SHOWN && (
        <button type="button" onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? 'Show fewer' : `${lots.length - SHOWN} more`}
        </button>
      )}
    </section>
  );
}

function WriteOff({ lot }: { lot: RecalledLot }) {
  const address = writeOffAddress(lot.stores);
  return (
    address && (
      <>
        {' '}
        <Link to={address} aria-label={`Write it off: lot ${lot.lot} of ${lot.name}`}>
          Write it off
        </Link>
      </>
    )
  );
}

const NAMED = 3;

function whereOf(stores: readonly Recall[]): string {
  const [first] = stores;
  if (stores.length === 1 && first) {
    const where = first.placeKind === 'inTransit' ? first.placeName : `In ${first.placeName}`;
    return `${where}: up to ${qty(first.qty)} ${first.uomCode ?? ''}`.trimEnd().concat('.');
  }
  const names = stores.slice(0, NAMED).map(({ placeName }) => placeName);
  const rest = stores.length > NAMED ? ` and ${stores.length - NAMED} more` : '';
  return `In ${plural(stores.length, 'place')}: ${names.join(', ')}${rest}.`;
}
