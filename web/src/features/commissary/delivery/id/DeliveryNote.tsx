import { type Delivery, hasLeft } from '#/documents/deliveries';
import { type LineOverride, overrideText } from '#/documents/overrides';
import { to } from '#/paths';
import { today } from '#/ui/dates';
import { day, qty } from '#/ui/format';
import { QrCode } from '#/ui/QrCode';
import classes from './DeliveryNote.module.css';

/** The printed delivery note: every line, its lot, and a code that opens the receipt on a phone. */
export function DeliveryNote({ delivery }: { delivery: Delivery }) {
  const left = hasLeft(delivery);
  const lines = delivery.lines.filter((line) =>
    left ? line.dispatched > 0 : (line.picked ?? line.ordered) > 0,
  );
  const overrides = delivery.overrides.length > 0 ? delivery.overrides : expiredAnyway(delivery);
  const receive = to('storesReceive', null, { delivery: delivery.id });
  return (
    <section className={classes.note} aria-label="Delivery note">
      <div className={classes.code}>
        <QrCode text={`${location.origin}${receive}`} label="Opens the receipt" size={104} />
        <p>
          <b>Delivery note</b>
          <span>Scan with a phone to take this delivery in.</span>
          {delivery.notes && <span>{delivery.notes}</span>}
        </p>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">SKU</th>
            <th scope="col">Lot</th>
            <th scope="col">Expiry</th>
            <th scope="col" data-right>
              {left ? 'Sent' : 'To send'}
            </th>
            <th scope="col">Unit</th>
            <th scope="col" data-right>
              Contents
            </th>
            <th scope="col">Received</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => {
            const said = left ? overrideText(overrides, line.id) : '';
            const sent = left ? line.dispatched : (line.picked ?? line.ordered);
            return (
              <tr key={line.id}>
                <th scope="row">
                  {line.name}
                  {said && <small className={classes.said}>{said}</small>}
                </th>
                <td>{line.sku}</td>
                <td>{line.lot}</td>
                <td>{line.expiry ? day(line.expiry) : ''}</td>
                <td data-right>{qty(sent)}</td>
                <td>{line.uomCode}</td>
                <td data-right>{line.factor === 1 ? '' : qty(sent * line.factor)}</td>
                <td />
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** Why lots were sent that had expired, of a delivery that left before reasons were kept by line. */
function expiredAnyway({ steps, lines }: Delivery): LineOverride[] {
  const sent = steps.findLast(({ step }) => step === 'dispatch');
  const reason = sent?.reason;
  if (!reason) return [];
  const date = today(new Date(sent.at));
  const expired = lines.filter(({ expiry }) => expiry && expiry < date);
  return expired.map(({ id }) => ({ lineId: id, check: 'expired', reason }));
}
