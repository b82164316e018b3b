import type { ReactNode } from 'react';
import { useCan } from '#/api/session';
import { recordPath, recordRight } from '#/records';
import { day, moment, money } from '#/ui/format';
import { Linked } from '#/ui/Linked';
import classes from './PriceList.module.css';

/** A price that holds from a day on, and where it comes from. */
interface DatedPrice {
  from: string;
  price?: number | null;
  fromStart: boolean;
  source: string;
  receiptId?: string | null;
  receiptNo?: string | null;
  updatedAt: string;
  updatedBy?: { name: string } | null;
}

export const fromWhen = ({ from, fromStart }: Pick<DatedPrice, 'from' | 'fromStart'>) =>
  fromStart ? 'from the start' : `from ${day(from)}`;

interface Props<P extends DatedPrice> {
  prices: readonly P[];
  keyOf(price: P): string;
  /** What the price is of, before it. */
  label?(price: P): string;
  /** After where it comes from. */
  more?(price: P): ReactNode;
}

/** Prices by day, each with where it comes from. */
export function PriceList<P extends DatedPrice>({ prices, keyOf, label, more }: Props<P>) {
  return (
    <ul className={classes.prices}>
      {prices.map((price) => (
        <li key={keyOf(price)}>
          <span>
            {label?.(price)}
            <b className="num">{price.price == null ? 'No price' : money(price.price)}</b>{' '}
            {fromWhen(price)}
          </span>
          <small>
            <Origin price={price} />
          </small>
          {more?.(price)}
        </li>
      ))}
    </ul>
  );
}

/** «RCV-12, accepted by Ana Cruz, 24 Nov 10:20» */
function Origin({ price }: { price: DatedPrice }) {
  const { source, receiptId, receiptNo, updatedBy, updatedAt } = price;
  const by = `${updatedBy ? ` by ${updatedBy.name}` : ''}, ${moment(updatedAt)}`;
  const mayOpen = useCan(recordRight('receipt'));
  const path = receiptId && mayOpen ? recordPath('receipt', receiptId) : null;
  switch (source) {
    case 'start':
      return 'Before prices were kept by day';
    case 'import':
      return `Imported${by}`;
    case 'receipt':
      return (
        <>
          <Linked href={path}>{receiptNo ?? 'Receipt'}</Linked>, accepted{by}
        </>
      );
    default:
      return `Set${by}`;
  }
}
