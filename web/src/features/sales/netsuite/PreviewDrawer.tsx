import { Button } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { DrawerBody } from '#/ui/DrawerViews';
import { ErrorBox } from '#/ui/ErrorBox';
import { day, moment, money } from '#/ui/format';
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
        {data ? <Rows preview={data} /> : !error && <output>Loading…</output>}
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
