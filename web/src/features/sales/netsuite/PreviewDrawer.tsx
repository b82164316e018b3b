import { Problem } from '#/api/problem';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { DrawerBody } from '#/ui/DrawerViews';
import { ErrorBox } from '#/ui/ErrorBox';
import { day, money } from '#/ui/format';
import { type Day, type Layout, type Preview, usePreview } from './api';
import { saysOf } from './DayTable';
import classes from './Netsuite.module.css';

interface Props {
  row: Day | null;
  layout: Layout;
  onClose(): void;
}

/** A record as it will be in the file. */
export function PreviewDrawer({ row, layout, onClose }: Props) {
  const ask = row && { storeId: row.storeId, date: row.date, layout };
  const { data, error } = usePreview(ask, null);
  return (
    <DrawerFrame
      opened={row !== null}
      title={row ? `${row.storeName}, ${day(row.date)}` : ''}
      size={760}
      onClose={onClose}
    >
      <DrawerBody>
        {row && saysOf(row) && <p className={classes.notice}>{saysOf(row)}</p>}
        {error && <ErrorBox>{Problem.of(error).message}</ErrorBox>}
        {data ? <Rows preview={data} /> : !error && <output>Loading…</output>}
      </DrawerBody>
    </DrawerFrame>
  );
}

/** A record's rows under their column names. */
export function Rows({ preview }: { preview: Preview }) {
  const { columns, rows, net, total, rounding } = preview;
  if (rows.length === 0) return <p className={classes.none}>There is no verified Z-reading yet.</p>;
  return (
    <>
      <p className={classes.none}>
        Z-readings say {money(net)} net.{' '}
        {total === 0 ? 'Debits and credits are equal' : `The record comes to ${money(total)}`}
        {rounding !== 0 && `, with ${money(rounding)} of rounding`}.
      </p>
      <section className={classes.scroll} tabIndex={0} aria-label="The record as the file has it">
        <table className={classes.rows}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a record have no id
              <tr key={at}>
                {row.map((cell, i) => (
                  <td key={columns[i]} data-number={/^-?\d+\.\d\d$/.test(cell) || undefined}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
