import { Button } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { DrawerBody } from '#/ui/DrawerViews';
import { ErrorBox } from '#/ui/ErrorBox';
import { day, MISSING, moment, money } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import {
  type Day,
  type Layout,
  layoutName,
  type Preview,
  type Sent,
  STATES,
  usePreview,
} from './api';
import { saysOf } from './DayTable';
import classes from './Netsuite.module.css';
import { WithdrawDialog } from './WithdrawDialog';

interface Props {
  row: Day | null;
  layout: Layout;
  onClose(): void;
}

/** A record as it will be in the file, and what of the day went already. */
export function PreviewDrawer({ row, layout, onClose }: Props) {
  const ask = row && { storeId: row.storeId, date: row.date, layout };
  const { data, error } = usePreview(ask, null);
  const mayExport = useCan('sales/netsuite', 'export');
  const [leaving, setLeaving] = useState<Sent | null>(null);
  return (
    <DrawerFrame
      opened={row !== null}
      title={row ? `${row.storeName}, ${day(row.date)}` : ''}
      size={960}
      onClose={onClose}
    >
      <DrawerBody>
        {row && saysOf(row) && <p className={classes.notice}>{saysOf(row)}</p>}
        {row && row.sentAs.length > 0 && (
          <Records of={row.sentAs} onWithdraw={mayExport ? setLeaving : undefined} />
        )}
        {error && <ErrorBox>{Problem.of(error).message}</ErrorBox>}
        {data ? <Rows preview={data} once /> : !error && <output>Loading…</output>}
        {row && leaving && (
          <WithdrawDialog
            records={[{ ...leaving, storeId: row.storeId, date: row.date }]}
            onDone={onClose}
            onClose={() => setLeaving(null)}
          />
        )}
      </DrawerBody>
    </DrawerFrame>
  );
}

interface RecordsProps {
  of: readonly Sent[];
  /** Missing without the right. */
  onWithdraw: ((record: Sent) => void) | undefined;
}

/** The records of a day that went to NetSuite, in any layout. */
function Records({ of, onWithdraw }: RecordsProps) {
  return (
    <ul className={classes.records} aria-label="Records of this day">
      {of.map((record) => {
        const { layout, externalId, state, exportedAt, withdrawn } = record;
        return (
          <li key={externalId}>
            <StatusPill tone={withdrawn ? 'neutral' : (STATES[state]?.tone ?? 'neutral')}>
              {withdrawn ? 'Withdrawn' : (STATES[state]?.label ?? state)}
            </StatusPill>
            <span>
              {layoutName(layout)} {externalId},{' '}
              {withdrawn
                ? `withdrawn by ${withdrawn.by}, ${moment(withdrawn.at)}: ${withdrawn.reason}`
                : `exported ${moment(exportedAt)}`}
            </span>
            {onWithdraw && !withdrawn && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Withdraw ${externalId}`}
                onClick={() => onWithdraw(record)}
              >
                Withdraw
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** A number or nothing, as in the file. */
const NUMBER = /^(-?\d+(\.\d+)?)?$/;

interface RowsProps {
  preview: Preview;
  /** Shows what all rows have in common once, above the table. */
  once?: boolean;
}

/** A record's rows under their column names. */
export function Rows({ preview, once }: RowsProps) {
  const { columns, rows, net, total, rounding } = preview;
  const shared = once ? sharedBy(rows, columns.length) : new Set<number>();
  const inTable = columns.map((_, at) => at).filter((at) => !shared.has(at));
  const numeric = new Set(inTable.filter((at) => rows.every((row) => NUMBER.test(row[at] ?? ''))));
  if (rows.length === 0) return <p className={classes.none}>There is no verified Z-reading yet.</p>;
  return (
    <>
      <p className={classes.none}>
        Z-readings say {money(net)} net.{' '}
        {total === 0 ? 'Debits and credits are equal' : `The record comes to ${money(total)}`}
        {rounding !== 0 && `, with ${money(rounding)} of rounding`}.
      </p>
      {shared.size > 0 && (
        <dl className={classes.shared} aria-label="The same in each row">
          {[...shared].map((at) => (
            <div key={columns[at]}>
              <dt>{columns[at]}</dt>
              <dd>{rows[0]?.[at] || MISSING}</dd>
            </div>
          ))}
        </dl>
      )}
      <section
        className={classes.scroll}
        data-wraps={once || undefined}
        tabIndex={0}
        aria-label="The record as the file has it"
      >
        <table className={classes.rows}>
          <thead>
            <tr>
              {inTable.map((at) => (
                <th key={columns[at]} scope="col" data-number={numeric.has(at) || undefined}>
                  {columns[at]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a record have no id
              <tr key={at}>
                {inTable.map((i) => (
                  <td key={columns[i]} data-number={numeric.has(i) || undefined}>
                    {row[i]}
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

/** The columns in which all rows are alike; none if they do not differ at all. */
function sharedBy(rows: Preview['rows'], columns: number): Set<number> {
  const alike = Array.from({ length: columns }, (_, at) => at).filter((at) =>
    rows.every((row) => row[at] === rows[0]?.[at]),
  );
  return new Set(alike.length < columns ? alike : []);
}
