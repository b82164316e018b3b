import type { ReactNode } from 'react';
import { mayOpen, useMe } from '#/api/session';
import { type PageKey, to } from '#/paths';
import { recordPath } from '#/records';
import { signed } from '#/reports/columns';
import { writeCell } from '#/ui/cell';
import { DOT, day, moment, plural, qty } from '#/ui/format';
import { Linked } from '#/ui/Linked';
import classes from './Movement.module.css';
import type { FigureKey } from './movement';
import type { MovementCount, MovementDocument, Parts, ToldDay } from './movementDays';

interface Props {
  parts: Parts;
  days: readonly ToldDay[];
  figure: FigureKey | null;
}

/** The days of a figure, each with its documents, sales and counts. */
export function MovementDays({ parts, days, figure }: Props) {
  return (
    <table className={classes.days} aria-label="What it is made of">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" className={classes.number}>
            Change{parts.unit && `, ${parts.unit}`}
          </th>
          <th scope="col" className={classes.number}>
            On hand
          </th>
        </tr>
      </thead>
      {fromOpening(figure) && <Opening parts={parts} />}
      {days.map((one) => (
        <Day key={one.date} parts={parts} day={one} />
      ))}
    </table>
  );
}

/** Whether a figure depends on the opening balance. */
export const fromOpening = (figure: FigureKey | null): boolean =>
  figure === null || ['opening', 'closing', 'actualUse', 'variance'].includes(figure);

/** The opening balance, and the counts behind it. */
function Opening({ parts }: { parts: Parts }) {
  return (
    <tbody>
      <tr className={classes.day}>
        <th scope="rowgroup">Before {day(parts.from)}</th>
        <td />
        <td className={classes.number}>{qty(parts.figures.opening)}</td>
      </tr>
      {parts.openingCounts.map((count) => (
        <Count key={count.itemId} count={count} dated />
      ))}
    </tbody>
  );
}

function Day({ parts, day: one }: { parts: Parts; day: ToldDay }) {
  const counts = (before: boolean) =>
    one.counts
      .filter((count) => count.before === before)
      .map((count) => <Count key={`${count.itemId} ${count.session}`} count={count} />);
  return (
    <tbody>
      <tr className={classes.day}>
        <th scope="rowgroup">{day(one.date)}</th>
        <td />
        <td className={classes.number}>{qty(one.closing)}</td>
      </tr>
      {counts(true)}
      {one.documents.map((document) => (
        <Document key={`${document.seq} ${document.productId}`} document={document} />
      ))}
      {one.used !== null && <Sales parts={parts} day={one} />}
      {counts(false)}
      {one.variance !== null && (
        <Line
          change={
            <span data-tone={one.variance < 0 ? 'less' : 'more'}>{signed(one.variance)}</span>
          }
        >
          {one.variance < 0 ? 'Found less than expected' : 'Found more than expected'}
        </Line>
      )}
    </tbody>
  );
}

function Line({ children, change }: { children: ReactNode; change?: ReactNode }) {
  return (
    <tr>
      <td className={classes.what}>{children}</td>
      <td className={classes.number}>{change}</td>
      <td />
    </tr>
  );
}

function useOpens() {
  const me = useMe();
  return (page: PageKey): boolean => mayOpen(me, page);
}

const KINDS: Readonly<Record<string, string>> = {
  adjustment: 'Correction',
  delivery: 'Delivery',
  receipt: 'Receipt',
  transfer: 'Transfer',
  waste: 'Waste',
  production: 'Production',
};

const OUT: readonly MovementDocument['way'][] = ['transferOut', 'waste'];

function Document({ document }: { document: MovementDocument }) {
  const opens = useOpens();
  const { kind, documentId, number, productId, productName, way } = document;
  const href = number ? recordPath(kind, documentId) : null;
  const change = OUT.includes(way) ? -document.qty : document.qty;
  return (
    <Line change={signed(change)}>
      <Linked href={href}>
        {KINDS[kind] ?? kind} {number}
      </Linked>
      {productId && (
        <>
          {' of '}
          <Linked href={opens('product') ? to('product', { id: productId }) : null}>
            {productName}
          </Linked>
        </>
      )}
      <small>{[document.by, moment(document.at), document.reason].filter(Boolean).join(DOT)}</small>
    </Line>
  );
}

function Sales({ parts, day: one }: { parts: Parts; day: ToldDay }) {
  const opens = useOpens();
  const { storeId, rootItemId } = parts;
  const cell = writeCell({ from: one.date, to: one.date, storeId, itemId: rootItemId });
  const href = opens('reportSalesByRootItems')
    ? to('reportSalesByRootItems', null, { from: one.date, to: one.date, stores: storeId, cell })
    : null;
  return (
    <Line change={signed(-(one.used ?? 0))}>
      <Linked href={href}>Used by sales</Linked>
      <small>
        {qty(one.sold)} sold of {plural(one.posItems, 'POS item')}
      </small>
    </Line>
  );
}

const SESSIONS: Readonly<Record<string, string>> = {
  opening: 'Opening count',
  closing: 'Closing count',
};

function Count({ count, dated }: { count: MovementCount; dated?: boolean }) {
  return (
    <Line>
      {SESSIONS[count.session] ?? 'Count'} of {count.itemName}:{' '}
      <strong>
        {qty(count.qty)} {count.uomCode}
      </strong>
      {count.rootQty !== count.qty && ` = ${qty(count.rootQty)}`}
      <small>
        {[dated && day(count.date), count.by, moment(count.at)].filter(Boolean).join(DOT)}
      </small>
    </Line>
  );
}
