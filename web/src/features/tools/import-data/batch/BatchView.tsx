import { Button, Skeleton } from '@mantine/core';
import { IconFileUnknown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useJob } from '#/api/jobs';
import { Problem } from '#/api/problem';
import { to } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { ErrorBox } from '#/ui/ErrorBox';
import { bytes, plural } from '#/ui/format';
import { JobProgress } from '#/ui/JobProgress';
import { Page } from '#/ui/Page';
import { StatusPill } from '#/ui/StatusPill';
import { done } from '#/ui/toast';
import { Steps } from '../../Steps';
import { importApi, KEY, keep, stepOver, useImportLists } from '../api';
import { isBusy, stateOf } from '../states';
import type { Batch, ImportList } from '../types';
import { counted, inSentence, outcomeWords, writes } from '../words';
import { MappingStep } from './MappingStep';
import { Result } from './Result';

const STEPS = ['File', 'Columns', 'Check', 'Import'] as const;
/** What is shown at once of what was done; the rest is on the page. */
const SUMMARY_MS = 2500;

interface Props {
  id: string;
  back: ReactNode;
}

/** One import, at whatever step it stands. */
export function BatchView({ id, back }: Props) {
  const lists = useImportLists();
  const [leaving, setLeaving] = useState(false);
  const batch = useQuery({
    queryKey: [...KEY, 'batch', id],
    queryFn: ({ signal }) => importApi.batch(id, signal),
    enabled: !leaving,
    // Work that another screen started ends without this one hearing of it.
    refetchInterval: ({ state }) => (isBusy(state.data?.state ?? 'uploaded') ? 3000 : false),
  });
  const list = lists.data?.find(({ slug }) => slug === batch.data?.list);
  const error = (!batch.data && batch.error) || (!lists.data && lists.error);

  if (error || (batch.data && lists.data && !list)) {
    return (
      <EmptyState
        page
        icon={IconFileUnknown}
        role="alert"
        title="This import could not be opened"
        text={error ? Problem.of(error).message : 'You may not import into its list any more.'}
        action={
          <Button variant="default" component={Link} to={to('toolsImportData')}>
            Back to import data
          </Button>
        }
      />
    );
  }
  if (!batch.data || !list || leaving) {
    return (
      <Page title="Import" back={back} narrow>
        <Skeleton height={60} />
        <Skeleton height={320} />
      </Page>
    );
  }
  return <Known batch={batch.data} list={list} back={back} onLeave={setLeaving} />;
}

function stepOf({ state, summary }: Batch, mapping: boolean): number {
  if (mapping || state === 'uploaded') return 1;
  if (state === 'checking' || state === 'checked') return 2;
  if (state === 'failed') return summary ? 3 : 1;
  return state === 'committing' ? 3 : STEPS.length;
}

interface KnownProps {
  batch: Batch;
  list: ImportList;
  back: ReactNode;
  onLeave(leaving: boolean): void;
}

function Known({ batch, list, back, onLeave }: KnownProps) {
  const [remap, setRemap] = useState(false);
  // Another sheet was asked for: its columns are here, what was said of the first one's is not meant.
  const [sheet, setSheet] = useState<string | null>(null);
  const stopped = useJob(batch.state === 'failed' ? batch.jobId : null).data?.kind;
  const halfWay = stopped === 'importData.commit' || stopped === 'importData.undo';
  const unmapped = batch.state === 'uploaded' || (batch.state === 'failed' && !halfWay);
  const mapping = remap || unmapped;
  const { label, tone } = stateOf[batch.state];
  useSummary(batch, list);
  const rows = batch.layout.rows;

  const set = (next: Batch) => {
    keep(next);
    setRemap(false);
    setSheet(null);
  };

  return (
    <Page
      title={batch.fileName}
      back={back}
      narrow={mapping || isBusy(batch.state)}
      fill={!mapping && !isBusy(batch.state)}
      aside={
        <>
          <StatusPill tone={tone}>{label}</StatusPill>{' '}
          {[list.label, plural(rows, 'row'), bytes(batch.size)].join(' · ')}
        </>
      }
    >
      <Steps names={STEPS} now={stepOf(batch, mapping)} />
      {batch.error && batch.state === 'failed' && <ErrorBox>{batch.error}</ErrorBox>}
      {mapping ? (
        <MappingStep
          key={batch.layout.sheet ?? ''}
          batch={batch}
          list={list}
          anew={sheet !== null}
          onMapped={set}
          onSheet={(next) => {
            keep(next);
            setSheet(next.layout.sheet ?? null);
            setRemap(true);
          }}
        />
      ) : isBusy(batch.state) ? (
        batch.jobId && <Work key={batch.jobId} batch={batch} list={list} jobId={batch.jobId} />
      ) : (
        <Result
          batch={batch}
          list={list}
          halfWay={halfWay}
          onChange={set}
          onRemap={() => setRemap(true)}
          onLeave={onLeave}
        />
      )}
    </Page>
  );
}

/** Says in a line what was imported, to whoever waited for it. */
function useSummary({ state, summary }: Batch, list: ImportList): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'committing' && state === 'committed' && summary) {
      done(`${counted(writes(summary), list)} imported: ${outcomeWords(summary)}`, SUMMARY_MS);
    }
    before.current = state;
  }, [state, summary, list]);
}

/** A step at work; it goes on when this page is left. */
function Work({ batch, list, jobId }: { batch: Batch; list: ImportList; jobId: string }) {
  const what = inSentence(list.label);
  const title =
    batch.state === 'checking'
      ? 'Checking every row'
      : batch.state === 'undoing'
        ? `Taking back what was imported`
        : `Importing ${what}`;

  return <JobProgress jobId={jobId} title={title} unit="rows" cancellable onOver={stepOver} />;
}
