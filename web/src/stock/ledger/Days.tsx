import type { ReactNode } from 'react';
import type { Permission } from '#/paths';
import { DOT, day, moment, plural, qty } from '#/ui/format';
import { Linked } from '#/ui/Linked';
import type { Ledger, LedgerCount, LedgerDay, LedgerMovement, LedgerSales } from './api';
import classes from './Ledger.module.css';
import {
  countWord,
  type DayLine,
  documentHref,
  kindWord,
  linesOf,
  productHref,
  salesHref,
  signed,
} from './labels';

interface Props {
  ledger: Ledger;
  may(permission: Permission): boolean;
}

/** The days with movements or counts, from opening to closing balance. */
export function Days({ ledger, may }: Props) {
  return (
    <table className={classes.table} aria-label="Day by day">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" className={classes.number}>
            Change
          </th>
          <th scope="col" className={classes.number}>
            On hand
          </th>
        </tr>
      </thead>
      <tbody>
        <tr className={classes.edge}>
          <th scope="row">Before {day(ledger.from)}</th>
          <td />
          <td className={classes.number}>{qty(ledger.start)}</td>
        </tr>
      </tbody>
      {ledger.days.map((one, at) => (
        <Day
          key={one.date}
          day={one}
          start={(at > 0 ? ledger.days[at - 1]?.balance : ledger.start) ?? null}
          ledger={ledger}
          may={may}
        />
      ))}
      <tbody>
        <tr className={classes.edge}>
          <th scope="row">{day(ledger.to)}, end of day</th>
          <td />
          <td className={classes.number}>
            {qty(ledger.onHand)} <small>{ledger.item.uomCode}</small>
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function Day({
  day: one,
  start,
  ledger,
  may,
}: Props & { day: LedgerDay /** The balance before it. */; start: number | null }) {
  return (
    <tbody>
      <tr className={classes.day}>
        <th scope="rowgroup">{day(one.date)}</th>
        <td />
        <td className={classes.number}>{qty(one.balance)}</td>
      </tr>
      {linesOf(one, start, ledger.item.id).map((line) => {
        switch (line.kind) {
          case 'movement': {
            const { moved } = line;
            return (
              <Movement
                key={`${moved.seq}${moved.rootItemId}`}
                {...line}
                ledger={ledger}
                may={may}
              />
            );
          }
          case 'part':
            return (
              <Line key={`part${line.until}`} change={signed(line.change)} after={line.after}>
                {line.inAll !== null ? (
                  <>
                    {partWord(ledger)} <small>of {signed(line.inAll)} in all</small>
                  </>
                ) : (
                  'Moved, documents not shown'
                )}
              </Line>
            );
          case 'sales':
            return (
              <Sales key={`sales${line.until}`} line={line} day={one} ledger={ledger} may={may} />
            );
          default: {
            const { count, after } = line;
            return (
              <Count
                key={`${count.itemId}${count.session ?? ''}`}
                count={count}
                after={after}
                named={ledger.item.id !== count.itemId}
              />
            );
          }
        }
      })}
    </tbody>
  );
}

function partWord({ item }: Ledger): string {
  if (item.roots.some(({ id }) => id === item.id)) return 'Since it was counted';
  return item.beside.length > 0 ? `Part of ${item.name}` : 'Together';
}

interface LineProps {
  children: ReactNode;
  change: ReactNode;
  /** The balance after it; null if unknown. */
  after?: number | null;
}

function Line({ children, change, after = null }: LineProps) {
  return (
    <tr>
      <td className={classes.what}>{children}</td>
      <td className={classes.number}>{change}</td>
      <td className={`${classes.number} ${classes.after}`}>{after !== null && qty(after)}</td>
    </tr>
  );
}

const rootName = (ledger: Ledger, id: string) =>
  ledger.item.roots.length > 1 ? ledger.item.roots.find((root) => root.id === id)?.name : undefined;

interface MovementProps extends Props {
  moved: LedgerMovement;
  /** The quantity is the whole document's, only part of it this item's. */
  whole: boolean;
  after: number | null;
}

function Movement({ moved, ledger, whole, after, may }: MovementProps) {
  const { productId, productName } = moved;
  const root = rootName(ledger, moved.rootItemId);
  return (
    <Line
      after={after}
      change={
        whole ? <span className={classes.whole}>{signed(moved.qty)}</span> : signed(moved.qty)
      }
    >
      <Linked href={documentHref(moved, may)}>{kindWord(moved)}</Linked>
      {productId && (
        <>
          {' of '}
          <Linked href={productHref(productId, may)}>{productName}</Linked>
        </>
      )}
      {root && ` (${root})`}
      <small>
        {[moved.by, moment(moved.happenedAt ?? moved.at), moved.reason].filter(Boolean).join(DOT)}
        {whole && `${DOT}in all`}
      </small>
    </Line>
  );
}

interface SalesProps extends Props {
  line: Extract<DayLine, { kind: 'sales' }>;
  day: LedgerDay;
}

/** «until 20:59» where a count divides the day. */
function salesWord({ all, since, until }: SalesProps['line']): string {
  if (all) return 'Used by sales';
  return until ? `Used by sales until ${time(until)}` : `Used by sales after ${time(since)}`;
}

const time = (at: string | null) => moment(at).split(', ').at(-1);

function Sales({ line, day: one, ledger, may }: SalesProps) {
  const single = one.sales.length === 1;
  // Once for a day that counts divide.
  const listed = line.all || !line.until ? one.sales : [];
  const words = (sales: LedgerSales) => {
    const href = salesHref(ledger.storeId, sales.rootItemId, one.date, may);
    const sold = `${qty(sales.sold)} sold of ${plural(sales.posItems, 'POS item')}`;
    return sales.posItems > 0 ? <Linked href={href}>{sold}</Linked> : 'nothing sold';
  };
  return (
    <Line change={signed(-line.used)} after={line.after}>
      {salesWord(line)}
      {line.all && one.used !== one.usedInAll && <small>of {qty(one.usedInAll)} in all</small>}
      {listed.map((sales) => (
        <small key={sales.rootItemId}>
          {!single && `${rootName(ledger, sales.rootItemId)} ${qty(sales.qty)}${DOT}`}
          {words(sales)}
          {!line.all && ' on this day'}
        </small>
      ))}
    </Line>
  );
}

interface CountProps {
  count: LedgerCount;
  named: boolean;
  after: number | null;
}

function Count({ count, named, after }: CountProps) {
  const { variance } = count;
  return (
    <tr className={classes.count}>
      <td className={classes.what}>
        {countWord(count)}
        {named && ` of ${count.itemName}`}: <strong>{qty(count.qty)}</strong>
        <small>
          {[
            count.by,
            moment(count.at),
            count.expected == null ? 'first count' : `expected ${qty(count.expected)}`,
            count.close > 0 &&
              `${plural(count.close, 'line')} close to it: nobody said if they were counted`,
          ]
            .filter(Boolean)
            .join(DOT)}
        </small>
      </td>
      <td className={classes.number} data-tone={variance ? (variance < 0 ? 'less' : 'more') : null}>
        {signed(variance)}
      </td>
      <td className={`${classes.number} ${classes.after}`}>{after !== null && qty(after)}</td>
    </tr>
  );
}
