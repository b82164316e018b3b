import { Link } from 'react-router';
import { to } from '#/paths';
import { CloseMark } from '#/stock/CloseMark';
import type { Column } from '#/table/types';
import { amount, qty, shortDay } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { sum } from '#/ui/sums';
import classes from './Drp.module.css';
import { capLabel, round } from './labels';
import type { PlanLine } from './wire';

const figure = (
  id: keyof PlanLine & string,
  label: string,
  title: string,
  more: Partial<Column<PlanLine>> = {},
): Column<PlanLine> => ({
  id,
  label,
  title,
  width: 90,
  value: (line) => round(line[id] as number | null),
  number: qty,
  phone: 'none',
  ...more,
});

/** The stock, what of it does not count, and whether a question about it is open. */
function OnHand({ line }: { line: PlanLine }) {
  const { unusable } = line;
  const aside = qty(round(unusable));
  return (
    <>
      {line.close > 0 && <CloseMark />}
      {qty(round(line.onHand))}
      {unusable > 0 && (
        <span
          className={classes.risk}
          title={`Of this, ${aside} ${line.unit ?? ''} expired or recalled: does not count`}
        >
          {' '}
          −{aside}
        </span>
      )}
    </>
  );
}

/** A plan's figures. They are in the root item's unit, so only pesos have a sum. */
export function lineColumns(lines: readonly PlanLine[], phone: boolean): Column<PlanLine>[] {
  return [
    { id: 'name', label: 'Product', primary: true, value: ({ name }) => name, total: 'Total' },
    { id: 'sku', label: 'SKU', width: 90, value: ({ sku }) => sku, muted: true, hidden: true },
    figure('forecast', 'Forecast', 'Expected use until the delivery after the one it is for'),
    figure('safetyStock', 'Safety', 'Kept for days that sell more than expected', { width: 76 }),
    figure('onHand', 'On hand', 'Last count, and what came and was used since', {
      width: lines.some(({ unusable }) => unusable > 0) ? 124 : 96,
      align: 'right',
      cell: (line) => <OnHand line={line} />,
    }),
    figure('inTransit', 'On its way', 'Sent and not received yet', { width: 98 }),
    figure('onOrder', 'On order', 'Ordered, not sent yet, and due before the next delivery'),
    figure(
      'inTransitLater',
      'On its way, later',
      'Sent, and due with the next delivery or later; does not count',
      { hidden: true },
    ),
    figure(
      'later',
      'Later',
      'Not sent yet, and due with the next delivery or later; does not count',
      {
        hidden: true,
      },
    ),
    figure('short', 'Short', 'Ordered, but on no delivery; does not count', { hidden: true }),
    figure('committed', 'Committed', 'Promised to other stores', { hidden: true }),
    { id: 'unit', label: 'Unit', width: 62, value: ({ unit }) => unit, muted: true, phone: 'none' },
    {
      id: 'coverDays',
      label: 'Cover after this order',
      title: 'Days it lasts with what is here, on its way and in this order',
      width: 150,
      value: ({ coverDays }) => coverDays,
      cell: ({ coverDays }) => (coverDays === null ? '–' : `${qty(round(coverDays, 1))} d`),
      align: 'right',
      phone: 'none',
    },
    {
      id: 'stockOutDate',
      label: 'Runs out',
      title: 'Without this order; red where it could not arrive in time',
      width: 86,
      value: ({ stockOutDate }) => stockOutDate,
      cell: ({ stockOutDate, atRisk }) => (
        <span className={atRisk ? classes.risk : undefined}>
          {stockOutDate ? `${phone ? 'runs out ' : ''}${shortDay(stockOutDate)}` : '–'}
        </span>
      ),
      phone: 'sub',
    },
    {
      id: 'suggested',
      label: 'Order',
      width: 92,
      value: ({ suggested }) => suggested,
      cell: ({ suggested, uomCode }) =>
        suggested > 0 ? (
          <strong>
            {qty(suggested)} <small>{uomCode}</small>
          </strong>
        ) : (
          '–'
        ),
      align: 'right',
      phone: 'end',
    },
    {
      id: 'amount',
      label: 'Worth, ₱',
      width: 98,
      value: (line) => line.amount,
      number: amount,
      phone: 'none',
      total: amount(sum(lines.map((line) => line.amount))),
    },
    {
      id: 'neededDate',
      label: 'For',
      width: 70,
      value: ({ neededDate }) => neededDate,
      cell: ({ neededDate }) => (neededDate ? shortDay(neededDate) : '–'),
      phone: 'none',
    },
    {
      id: 'caps',
      label: 'Held back by',
      width: 132,
      value: ({ caps }) => caps.join(', '),
      cell: ({ caps, note, orderId }) =>
        orderId ? (
          <Link to={to('storesOrder', { id: orderId })}>Ordered</Link>
        ) : caps.length > 0 ? (
          <StatusPill tone="warn">{caps.map(capLabel).join(', ')}</StatusPill>
        ) : (
          note && <span title={note}>{note}</span>
        ),
      phone: 'sub',
    },
  ];
}
