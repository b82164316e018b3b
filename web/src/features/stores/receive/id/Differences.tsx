import { Fragment } from 'react';
import { useCan } from '#/api/session';
import { useDocument } from '#/documents/api';
import { type Delivery, type DeliveryHead, deliveryDef } from '#/documents/deliveries';
import { OrderLink } from '#/documents/OrderLink';
import { orderDef } from '#/documents/orders';
import {
  REASONS,
  RESOLUTIONS,
  type Receipt,
  type ReceiptLine,
  wordsOf,
} from '#/documents/receipts';
import { plural, qty } from '#/ui/format';
import classes from './Differences.module.css';

/** What was sent or announced but not accepted. */
export const openOf = (line: ReceiptLine) => {
  const over = Math.max(0, line.received - line.expected);
  const refusedOver = Math.min(line.rejected, over);
  return Math.max(0, line.expected - line.received) + line.rejected - refusedOver;
};

const differs = (line: ReceiptLine) => line.received !== line.expected || line.rejected > 0;

/** Settled differences and their resolutions. */
export function Differences({ receipt }: { receipt: Receipt }) {
  const lines = receipt.lines.filter((line) => differs(line) && !pending(line));
  const supplied = receipt.sourceType === 'supplier';
  const maySeeDelivery = useCan(deliveryDef.page) && receipt.sourceType === 'delivery';
  const maySeeOrders = useCan(orderDef.page);
  const { data: delivery } = useDocument<DeliveryHead, Delivery>(
    deliveryDef,
    maySeeDelivery ? (receipt.sourceId ?? '') : '',
  );
  if (lines.length === 0 || receipt.status === 'draft') return null;
  const orders = receipt.orderId ? [receipt.orderId] : (delivery?.orderIds ?? []);
  return (
    <section className={classes.differences} aria-label="Settled differences">
      <h2>{plural(lines.length, 'difference')} settled</h2>
      <ul>
        {lines.map((line) => (
          <li key={line.id}>
            <b>{line.name}</b>
            <span>{whatDiffered(line)}</span>
            <span>
              {line.resolution && <b>{wordsOf(RESOLUTIONS, line.resolution)}: </b>}
              {became(line, supplied)}
              {line.resolution === 'backorder' &&
                maySeeOrders &&
                orders.map((id) => (
                  <Fragment key={id}>
                    {' '}
                    <OrderLink id={id} />
                  </Fragment>
                ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const pending = (line: ReceiptLine) =>
  openOf(line) > 0 && (!line.resolution || line.resolution === 'pending');

function whatDiffered(line: ReceiptLine): string {
  const of = `${qty(line.received)} of ${qty(line.expected)} ${line.uomCode} came`;
  const refused = line.rejected > 0 ? `, ${qty(line.rejected)} refused` : '';
  const reason = wordsOf(REASONS, line.reason);
  return `${of}${refused}${reason ? ` (${reason.toLowerCase()})` : ''}`;
}

/** How the resolution affected stock and orders. */
function became(line: ReceiptLine, supplied: boolean): string {
  const much = `${qty(openOf(line))} ${line.uomCode}`;
  if (openOf(line) === 0) return `all ${qty(line.accepted)} ${line.uomCode} kept and in stock.`;
  switch (line.resolution) {
    case 'backorder':
      return supplied
        ? `${much} still open on the order.`
        : `${much} back in the sender’s stock and on the order again.`;
    case 'credit':
      return supplied
        ? `${much} not in stock; ask the supplier for a credit.`
        : `${much} written off, to be credited to the store.`;
    case 'return':
      return supplied ? `${much} back with the supplier.` : `${much} back in the sender’s stock.`;
    case 'writeOff':
      return `${much} written off.`;
    default:
      return `${much} not kept.`;
  }
}
