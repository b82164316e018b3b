import { Skeleton } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { isOver } from '#/api/jobs';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { BatchPage, BatchSkeleton, NotOpened, rowsOf } from '#/imports/BatchPage';
import { useBatch } from '#/imports/useBatch';
import { pages } from '#/paths';
import { JobProgress } from '#/ui/JobProgress';
import { salesApi, salesChanged } from '../api';
import classes from '../page.module.css';
import { isBusy, stateOf } from '../states';
import type { Batch } from '../types';
import { MappingStep } from './MappingStep';
import { Outcome } from './Outcome';
import { Review } from './Review';

interface Props {
  id: string;
  back: ReactNode;
}

const STEPS = ['File', 'Columns', 'Check', 'Post'] as const;

function stepOf(batch: Batch, mapping: boolean): number {
  if (mapping) return 1;
  switch (batch.state) {
    case 'uploaded':
      return 1;
    case 'validating':
    case 'validated':
      return 2;
    case 'posting':
      return 3;
    case 'failed':
      return batch.summary ? 2 : 1;
    default:
      return STEPS.length;
  }
}

/** One import at its current step. */
export function BatchView({ id, back }: Props) {
  const { data: batch, error } = useBatch({
    key: ['import-sales'],
    id,
    load: salesApi.batch,
    busy: ({ state }) => isBusy(state),
  });
  const [remap, setRemap] = useState(false);
  const [rechecking, setRechecking] = useState(false);
  const checked = useRef<Batch['summary']>(null);

  const set = useCallback((next: Batch) => {
    queries.setQueryData(['import-sales', 'batch', next.id], next);
    setRemap(false);
  }, []);

  const busy = batch ? isBusy(batch.state) : false;
  useEffect(() => {
    // The summary of the last check stays on screen during the next one.
    if (batch?.summary) checked.current = batch.summary;
    if (batch && !busy) setRechecking(false);
  }, [batch, busy]);

  if (error && !batch) {
    const { path } = pages.toolsImportSales;
    return <NotOpened text={Problem.of(error).message} to={path} page="import sales" />;
  }
  if (!batch) return <BatchSkeleton back={back} />;

  const mapping = batch.state === 'uploaded' || remap;
  const progress = batch.jobId ? (
    <JobProgress
      key={batch.jobId}
      jobId={batch.jobId}
      title={batch.state === 'posting' ? 'Posting' : 'Checking every row'}
      cancellable
      onOver={(job) => {
        if (isOver(job)) salesChanged();
      }}
    />
  ) : (
    <Skeleton height={60} />
  );
  const reviewed =
    batch.state === 'validated' || batch.state === 'failed'
      ? batch
      : batch.state === 'validating' && rechecking && checked.current
        ? { ...batch, summary: batch.summary ?? checked.current }
        : null;
  return (
    <BatchPage
      batch={batch}
      states={stateOf}
      facts={(size) => [size, rowsOf(batch.layout?.rows)]}
      steps={STEPS}
      now={stepOf(batch, mapping)}
      back={back}
      narrow
    >
      {batch.state === 'failed' && !remap && (
        <p role="alert" className={classes.error}>
          {batch.error ?? 'The last step did not end well.'}
        </p>
      )}
      {mapping || (batch.state === 'failed' && !batch.summary) ? (
        <MappingStep batch={batch} onMapped={set} />
      ) : reviewed ? (
        <Review
          batch={reviewed}
          checking={busy && progress}
          onChange={set}
          onAnswered={(next) => {
            setRechecking(true);
            set(next);
          }}
          onRemap={() => setRemap(true)}
        />
      ) : busy ? (
        progress
      ) : (
        <Outcome batch={batch} onChange={set} />
      )}
    </BatchPage>
  );
}
