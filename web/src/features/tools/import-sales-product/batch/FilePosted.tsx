import { count, money, plural, pluralQty, qty } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { maybeQuantity, nameOf } from '../mapping';
import type { Batch } from '../types';
import classes from './FilePosted.module.css';

/** The file's own totals next to those to be posted, with the reason for a difference. */
export function FilePosted({ batch }: { batch: Batch }) {
  const { summary, layout, mapping } = batch;
  if (!summary) return null;
  const unused = layout && mapping ? maybeQuantity(layout, mapping)[0] : undefined;
  const inFile = typeof unused?.sum === 'number' ? unused.sum : summary.fileQty;
  const priced = mapping?.columns.unitPrice !== undefined || mapping?.columns.net !== undefined;
  // Amounts computed with an unused quantity are not the file's own.
  const own = priced && (!unused || mapping?.columns.net !== undefined);
  const leftOut = summary.leftOutRows ?? 0;
  const differs = [
    summary.problemLines > 0 && 'Rows with problems are left out.',
    leftOut > 0 &&
      `${plural(leftOut, 'row')} with totals ${leftOut === 1 ? 'is' : 'are'} left out: ${pluralQty(summary.leftOutQty ?? 0, 'piece')}, ${money(summary.leftOutNet ?? 0)}.`,
    unused && `The file’s quantity is that of “${nameOf(unused)}”, which is not used.`,
    !unused && typeof inFile === 'number' && inFile !== summary.qty && summary.problemLines === 0
      ? 'Voided lines count nothing.'
      : null,
  ].filter(Boolean);
  const rows: [string, string, string, boolean][] = [
    [
      mapping?.products?.length ? 'Rows, lines' : 'Rows',
      count(summary.lines),
      count(summary.goodLines),
      !mapping?.products?.length && summary.lines !== summary.goodLines,
    ],
    [
      'Quantity',
      typeof inFile === 'number' ? qty(inFile) : '–',
      qty(summary.qty),
      typeof inFile === 'number' && inFile !== summary.qty,
    ],
    [
      'Net sales',
      own && typeof summary.fileNet === 'number' ? money(summary.fileNet) : '–',
      money(summary.net),
      own && summary.fileNet !== undefined && summary.fileNet !== summary.net,
    ],
  ];
  return (
    <Panel>
      <table className={classes.table} aria-label="The file and what would be posted">
        <thead>
          <tr>
            <td />
            <th scope="col">In the file</th>
            <th scope="col">To be posted</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, file, posted, differ]) => (
            <tr key={name} data-differs={differ || undefined}>
              <th scope="row">{name}</th>
              <td className="num">{file}</td>
              <td className="num">{posted}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {differs.length > 0 && <p className={classes.why}>{differs.join(' ')}</p>}
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
