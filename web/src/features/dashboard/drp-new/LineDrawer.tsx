import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { to } from '#/paths';
import { recordPath } from '#/records';
import { CLOSE_TEXT, CloseMark } from '#/stock/CloseMark';
import type { TableState } from '#/table/useTableState';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { day, money, plural, qty, unitOf } from '#/ui/format';
import { usePhased } from './api';
import classes from './Drp.module.css';
import { capLabel, round, sentence } from './labels';
import { OrderChart, StockChart } from './StockChart';
import type { PlanLine } from './wire';

interface Props {
  line: PlanLine | undefined;
  state: TableState;
  onClose(): void;
}

/** The calculation behind a suggestion, in words and figures. */
export function LineDrawer({ line, state, onClose }: Props) {
  return (
    <DrawerFrame opened={Boolean(line)} title={line?.name ?? ''} size={600} onClose={onClose}>
      {line && <Sum line={line} state={state} />}
    </DrawerFrame>
  );
}

interface LastsProps {
  label: string;
  /** The first day that ends below zero, if there is one before `until`. */
  out: string | null;
  until: string;
  risk?: boolean;
}

/** How long the stock lasts, up to the next delivery. */
function Lasts({ label, out, until, risk = false }: LastsProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd data-risk={(risk && out !== null) || undefined}>
        {out ? `runs out ${day(out)}` : `lasts until ${day(until)}`}
      </dd>
    </div>
  );
}

type SumRow = [sign: string, label: string, value: number];

/** The rows of the sum: the signs make them add up to what is missing. */
export function sumRows(line: PlanLine): SumRow[] {
  const { unusable } = line;
  return [
    ['', 'Expected use', line.forecast],
    ['+', 'Safety stock', line.safetyStock],
    ['=', 'Enough would be', line.target],
    ['−', 'On hand', line.onHand],
    ...(unusable > 0 ? ([['+', 'Of this, expired or recalled', unusable]] as SumRow[]) : []),
    ...(line.estimatedDays > 0
      ? ([
          [
            '+',
            `Used since, estimated for ${plural(line.estimatedDays, 'day')}`,
            line.estimatedUse,
          ],
        ] as SumRow[])
      : []),
    ['−', 'On its way', line.inTransit],
    ...(line.inTransitLater
      ? ([['+', 'Of this, comes later', line.inTransitLater]] as SumRow[])
      : []),
    ['−', 'On order', line.onOrder],
    ...(line.committed ? ([['+', 'Committed', line.committed]] as SumRow[]) : []),
    ['=', 'Missing', Math.max(0, line.target - line.position)],
  ];
}

function Sum({ line, state }: { line: PlanLine; state: TableState }) {
  const phased = usePhased(line.productId, { storeId: line.storeId });
  const of = (value: number) => `${qty(round(value))} ${line.unit ?? ''}`.trim();
  const product = recordPath('product', line.productId);

  return (
    <div className={classes.drawer}>
      <p className={classes.sentence}>{sentence(line)}</p>
      {line.close > 0 && (
        <p className={classes.sentence}>
          <CloseMark beside />
          {CLOSE_TEXT}
        </p>
      )}
      <table className={classes.sum} aria-label="The sum">
        <tbody>
          {sumRows(line).map(([sign, label, value]) => (
            <tr key={label} data-result={sign === '=' || undefined}>
              <td aria-hidden="true">{sign}</td>
              <th scope="row">{label}</th>
              <td className="num">{of(value)}</td>
            </tr>
          ))}
          <tr data-result>
            <td aria-hidden="true">→</td>
            <th scope="row">
              Order, in whole packs of {of(line.pack)}
              {line.caps.length > 0 && (
                <small> held back by {line.caps.map(capLabel).join(', ')}</small>
              )}
            </th>
            <td className="num">
              <strong>
                {qty(line.suggested)} {line.uomCode ?? ''}
              </strong>
            </td>
          </tr>
        </tbody>
      </table>
      <dl className={classes.facts}>
        <div>
          <dt>Needed on</dt>
          <dd>{day(line.neededDate)}</dd>
        </div>
        <div>
          <dt>Worth</dt>
          <dd>{money(line.amount)}</dd>
        </div>
        {line.nextDate ? (
          <>
            <Lasts
              label="Without it"
              out={line.outWithoutOrder}
              until={line.nextDate}
              risk={line.atRisk}
            />
            <Lasts label="With it" out={line.outWithOrder} until={line.nextDate} />
          </>
        ) : (
          <div>
            <dt>Runs out without it</dt>
            <dd data-risk={line.atRisk || undefined}>
              {line.stockOutDate ? day(line.stockOutDate) : 'not on the days ahead'}
            </dd>
          </div>
        )}
        {line.short > 0 && (
          <div>
            <dt>Ordered, on no delivery</dt>
            <dd data-risk>{of(line.short)}</dd>
          </div>
        )}
        {line.later > 0 && (
          <div>
            <dt>Comes later</dt>
            <dd>{of(line.later)}</dd>
          </div>
        )}
      </dl>
      {phased.data &&
        (phased.data.outlook ? (
          <OrderChart grid={phased.data} />
        ) : (
          <StockChart grid={phased.data} />
        ))}
      <h3 className={classes.heading}>Where each figure comes from</h3>
      <table className={classes.why}>
        <tbody>
          {line.why.map(({ figure, value, unit, date, source }) => (
            <tr key={figure}>
              <th scope="row">{figure}</th>
              <td className="num">
                {qty(round(value, 3))} {unitOf(value, unit)}
              </td>
              <td>
                {source}
                {date && `, ${day(date)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={classes.actions}>
        {line.orderId && (
          <Button component={Link} to={to('storesOrder', { id: line.orderId })} variant="default">
            Open the order
          </Button>
        )}
        <Button
          variant="default"
          onClick={() =>
            state.set({ tab: 'days', product: line.productId, line: null, place: null }, true)
          }
        >
          Day by day
        </Button>
        <Button
          variant="default"
          onClick={() => state.set({ tab: 'settings', product: line.productId, line: null }, true)}
        >
          Settings of this product
        </Button>
        {product && (
          <Button component={Link} to={product} variant="default">
            Open product
          </Button>
        )}
      </div>
    </div>
  );
}
