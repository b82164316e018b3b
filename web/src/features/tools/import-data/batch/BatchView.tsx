import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useJob } from '#/api/jobs';
import { Problem } from '#/api/problem';
import { BatchPage, BatchSkeleton, NotOpened } from '#/imports/BatchPage';
import { useBatch } from '#/imports/useBatch';
import { to } from '#/paths';
import { ErrorBox } from '#/ui/ErrorBox';
import { plural } from '#/ui/format';
import { JobProgress } from '#/ui/JobProgress';
import { done } from '#/ui/toast';
import { importApi, KEY, keep, stepOver, useImportLists } from '../api';
import { counted, inSentence, outcomeLabel, writes } from '../labels';
import { isBusy, stateOf } from '../states';
import type { Batch, ImportList } from '../types';
import { MappingStep } from './MappingStep';
import { Result } from './Result';

const STEPS = ['File', 'Columns', 'Check', 'Import'] as const;
/** How long the summary toast stays; the details are on the page. */
const SUMMARY_MS = 2500;

interface Props {
  id: string;
  back: ReactNode;
}

/** One import at its current step. */
export function BatchView({ id, back }: Props) {
  const lists = useImportLists();
  const [leaving, setLeaving] = useState(false);
  const batch = useBatch({
    key: KEY,
    id,
    load: importApi.batch,
    busy: ({ state }) => isBusy(state),
    enabled: !leaving,
  });
  const list = lists.data?.find(({ slug }) => slug === batch.data?.list);
  const error = (!batch.data && batch.error) || (!lists.data && lists.error);

  if (error || (batch.data && lists.data && !list)) {
    const text = error ? Problem.of(error).message : 'You may not import into its list any more.';
    return <NotOpened whole text={text} to={to('toolsImportData')} page="import data" />;
  }
  if (!batch.data || !list || leaving) return <BatchSkeleton back={back} />;
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
  // Another sheet was requested: its columns are here, the first sheet's mapping does not apply.
  const [sheet, setSheet] = useState<string | null>(null);
  const stopped = useJob(batch.state === 'failed' ? batch.jobId : null).data?.kind;
  const halfWay = stopped === 'importData.commit' || stopped === 'importData.undo';
  const unmapped = batch.state === 'uploaded' || (batch.state === 'failed' && !halfWay);
  const mapping = remap || unmapped;
  useSummary(batch, list);
  const rows = batch.layout.rows;

  const set = (next: Batch) => {
    keep(next);
    setRemap(false);
    setSheet(null);
  };

  return (
    <BatchPage
      batch={batch}
      states={stateOf}
      facts={(size) => [list.label, plural(rows, 'row'), size]}
      steps={STEPS}
      now={stepOf(batch, mapping)}
      back={back}
      narrow={mapping || isBusy(batch.state)}
      fill={!mapping && !isBusy(batch.state)}
    >
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
    </BatchPage>
  );
}

/** Shows a one-line import summary to the user who waited for it. */
function useSummary({ state, summary }: Batch, list: ImportList): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'committing' && state === 'committed' && summary) {
      done(`${counted(writes(summary), list)} imported: ${outcomeLabel(summary)}`, SUMMARY_MS);
    }
    before.current = state;
  }, [state, summary, list]);
}

/** A running step; it continues when this page is left. */
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
