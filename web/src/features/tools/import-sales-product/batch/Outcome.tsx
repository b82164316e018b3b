import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useCan } from '#/api/session';
import { useSave } from '#/form/useSave';
import { to } from '#/paths';
import { Dialog } from '#/ui/Dialog';
import { day, moment, plural } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { salesApi } from '../api';
import styles from '../page.module.css';
import type { Batch } from '../types';
import { Figures } from './Figures';
import { FilePosted } from './FilePosted';
import classes from './Review.module.css';

const SAYS: Partial<Record<Batch['state'], string>> = {
  superseded: 'Later imports replaced all of its store days.',
  reverted: 'It was reverted; its store days are gone from every report.',
};

interface Props {
  batch: Batch;
  onChange(batch: Batch): void;
}

/** A finished import: its outcome, and undo. */
export function Outcome({ batch, onChange }: Props) {
  const mayImport = useCan('tools/importSalesProduct', 'import');
  const mayReport = useCan('reports/reports');
  const [asking, setAsking] = useState(false);
  const { busy, problem, run } = useSave();
  const { summary } = batch;
  const days = { from: summary?.firstDay, to: summary?.lastDay };

  async function revert(): Promise<void> {
    await run(async () => onChange(await salesApi.revert(batch.id)));
    setAsking(false);
  }

  return (
    <>
      {summary && batch.state !== 'reverted' && <FilePosted batch={batch} posted />}
      {summary && <Figures summary={summary} />}
      {batch.state === 'posted' && summary && summary.unmappedItems > 0 && (
        <p className={styles.notice}>
          {plural(summary.unmappedItems, 'item is', 'items are')} not mapped.{' '}
          <Link to={to('toolsImportSales', null, { unmapped: '1' })}>Map them</Link>
        </p>
      )}
      {batch.postedBy?.map(({ batchId, fileName, storeDays, firstDay, lastDay }) => (
        <p key={batchId} className={styles.notice}>
          {plural(storeDays, 'store day')} ({day(firstDay)}
          {lastDay !== firstDay && ` – ${day(lastDay)}`}): already posted by{' '}
          <Link to={to('toolsImportSales', null, { batch: batchId })}>{fileName}</Link>.
        </p>
      ))}
      {problem && (
        <p role="alert" className={styles.error}>
          {problem.message}
        </p>
      )}
      <Panel>
        <div className={classes.post}>
          <div className={classes.words}>
            <strong>
              {batch.state === 'posted'
                ? `Posted ${moment(batch.postedAt)}`
                : batch.state === 'reverted'
                  ? `Reverted ${moment(batch.revertedAt)}`
                  : 'Superseded'}
            </strong>
            <span>
              {SAYS[batch.state] ??
                `${plural(summary?.storeDays ?? 0, 'store day is', 'store days are')} in the reports.`}
            </span>
          </div>
          {batch.state === 'posted' && mayImport && (
            <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
              Revert import
            </Button>
          )}
          <Button
            variant="default"
            component={Link}
            to={to('toolsImportSales', null, { from: days.from, to: days.to })}
            // The next file is chosen with one key.
            state={{ another: true }}
          >
            Import another file
          </Button>
          {batch.state === 'posted' && mayReport && (
            <Button
              component={Link}
              to={to('reportWeeklyRootItemSales', null, days)}
              // Without recipes, the report has POS items only.
              state={{ orPosItems: true }}
            >
              Weekly report
            </Button>
          )}
        </div>
      </Panel>
      <Dialog
        opened={asking}
        title={`Revert “${batch.fileName}”?`}
        keep="Keep import"
        confirm="Revert import"
        danger
        busy={busy}
        onConfirm={() => void revert()}
        onClose={() => setAsking(false)}
      >
        <p>
          Its {plural(summary?.storeDays ?? 0, 'store day disappears', 'store days disappear')} from
          every report. The file stays in the records and can be posted again.
        </p>
      </Dialog>
    </>
  );
}
