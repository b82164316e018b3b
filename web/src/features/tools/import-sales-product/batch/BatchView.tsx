import { Button, Skeleton } from '@mantine/core';
import { IconFileUnknown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { Link } from 'react-router';
import { isOver } from '#/api/jobs';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { pages } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { bytes, plural } from '#/ui/format';
import { JobProgress } from '#/ui/JobProgress';
import { Page } from '#/ui/Page';
import { StatusPill } from '#/ui/StatusPill';
import { Steps } from '../../Steps';
import { salesApi, salesChanged } from '../api';
import classes from '../page.module.css';
import { stateOf } from '../states';
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

/** One import, at whatever step it stands. */
export function BatchView({ id, back }: Props) {
  const key = ['import-sales', 'batch', id];
  const { data: batch, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => salesApi.batch(id, signal),
    // Work that another screen started ends without this one hearing of it.
    refetchInterval: ({ state }) =>
      /validating|posting/.test(state.data?.state ?? '') ? 3000 : false,
  });
  const [remap, setRemap] = useState(false);

  const set = useCallback((next: Batch) => {
    queries.setQueryData(['import-sales', 'batch', next.id], next);
    setRemap(false);
  }, []);
  const over = useCallback(() => {
    salesChanged();
  }, []);

  if (error && !batch) {
    return (
      <EmptyState
        icon={IconFileUnknown}
        role="alert"
        title="This import could not be opened"
        text={Problem.of(error).message}
        action={
          <Button variant="default" component={Link} to={pages.toolsImportSales.path}>
            Back to import sales
          </Button>
        }
      />
    );
  }
  if (!batch) {
    return (
      <Page title="Import" back={back} narrow>
        <Skeleton height={60} />
        <Skeleton height={320} />
      </Page>
    );
  }

  const { label, tone } = stateOf[batch.state];
  const mapping = batch.state === 'uploaded' || remap;
  const rows = batch.layout?.rows;
  return (
    <Page
      title={batch.fileName}
      back={back}
      narrow
      aside={
        <>
          <StatusPill tone={tone}>{label}</StatusPill>{' '}
          {[bytes(batch.size), rows ? plural(rows, 'row') : null].filter(Boolean).join(' · ')}
        </>
      }
    >
      <Steps names={STEPS} now={stepOf(batch, mapping)} />
      {batch.state === 'failed' && !remap && (
        <p role="alert" className={classes.error}>
          {batch.error ?? 'The last step did not end well.'}
        </p>
      )}
      {mapping || (batch.state === 'failed' && !batch.summary) ? (
        <MappingStep batch={batch} onMapped={set} />
      ) : batch.state === 'validating' || batch.state === 'posting' ? (
        batch.jobId && (
          <JobProgress
            key={batch.jobId}
            jobId={batch.jobId}
            title={batch.state === 'posting' ? 'Posting' : 'Checking every row'}
            cancellable
            onOver={(job) => {
              if (isOver(job)) over();
            }}
          />
        )
      ) : batch.state === 'validated' || batch.state === 'failed' ? (
        <Review batch={batch} onChange={set} onRemap={() => setRemap(true)} />
      ) : (
        <Outcome batch={batch} onChange={set} />
      )}
    </Page>
  );
}
