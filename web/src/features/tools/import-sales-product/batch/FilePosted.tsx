import { useRef, useState } from 'react';
import { count, money, qty } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { useLostFocus } from '#/ui/useLostFocus';
import { maybeQuantity, nameOf } from '../mapping';
import { countedLines } from '../questions';
import type { Batch, LeftOutSum } from '../types';
import classes from './FilePosted.module.css';
import { LeftOut } from './LeftOut';

interface Props {
  batch: Batch;
  /** Whether it is in the reports already. */
  posted?: boolean;
}

/** The control sums: what is in the file is what is posted and what is left out, by reason. */
export function FilePosted({ batch, posted }: Props) {
  const [shown, setShown] = useState<LeftOutSum | null>(null);
  const table = useRef<HTMLTableElement>(null);
  useLostFocus(table);
  const { summary, layout, mapping } = batch;
  if (!summary) return null;
  const unused = layout && mapping ? maybeQuantity(layout, mapping)[0] : undefined;
  const priced = mapping?.columns.unitPrice !== undefined || mapping?.columns.net !== undefined;
  const leftOut = summary.leftOut ?? [];
  const left = {
    qty: leftOut.reduce((all, sum) => all + sum.qty, 0),
    net: leftOut.reduce((all, sum) => all + sum.net, 0),
    rows: leftOut.reduce((all, sum) => all + sum.rows, 0),
  };
  // With one column a product, a row of the file becomes several lines.
  const inRows = left.rows + countedLines(summary) === summary.lines;
  const net = (value: number | null | undefined) => (priced ? money(value) : '–');
  return (
    <Panel>
      <table
        ref={table}
        tabIndex={-1}
        className={classes.table}
        aria-label="The file and what is posted"
      >
        <thead>
          <tr>
            <td />
            <th scope="col">{mapping?.products?.length ? 'Rows, lines' : 'Rows'}</th>
            <th scope="col">Quantity</th>
            <th scope="col">Net sales</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">In the file</th>
            <td className="num">{count(summary.lines)}</td>
            <td className="num">{qty(summary.fileQty)}</td>
            <td className="num">{net(summary.fileNet)}</td>
          </tr>
          <tr>
            <th scope="row">{posted ? 'Posted' : 'To be posted'}</th>
            <td className="num">{count(countedLines(summary))}</td>
            <td className="num">{qty(summary.qty)}</td>
            <td className="num">{money(summary.net)}</td>
          </tr>
          {leftOut.length > 0 && (
            <tr data-differs>
              <th scope="row">Left out</th>
              <td className="num">{inRows && count(left.rows)}</td>
              <td className="num">{qty(Math.round(left.qty * 1e6) / 1e6)}</td>
              <td className="num">{net(Math.round(left.net * 100) / 100)}</td>
            </tr>
          )}
          {leftOut.map((sum) => (
            <tr key={sum.reason} data-reason>
              <th scope="row">
                <button
                  type="button"
                  className={classes.reason}
                  aria-haspopup="dialog"
                  onClick={() => setShown(sum)}
                >
                  {sum.label}
                </button>
              </th>
              <td className="num">{count(sum.rows)}</td>
              <td className="num">{qty(sum.qty)}</td>
              <td className="num">{net(sum.net)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown && <LeftOut batchId={batch.id} reason={shown} onClose={() => setShown(null)} />}
      {unused && typeof unused.sum === 'number' && (
        <p className={classes.why}>
          “{nameOf(unused, mapping?.hasHeader, layout?.columns)}” adds up to {qty(unused.sum)} and
          is not used.
        </p>
      )}
      {(summary.facts ?? []).length + (summary.tenders ?? []).length > 0 && (
        <dl className={classes.beside} aria-label="What the receipts say">
          {[...(summary.facts ?? []), ...(summary.tenders ?? [])].map(({ name, amount }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="num">{name === 'Guests' ? count(amount) : money(amount)}</dd>
            </div>
          ))}
        </dl>
      )}
      {(summary.notes ?? []).map((words) => (
        <p key={words} className={classes.note}>
          {words}
        </p>
      ))}
      {!priced && (
        <p className={classes.note}>No column is a price or an amount, so net sales are zero.</p>
      )}
    </Panel>
  );
}
