import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { queries } from '#/api/queries';
import { useCan } from '#/api/session';
import { useSave } from '#/form/useSave';
import { pages } from '#/paths';
import { plural } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { done } from '#/ui/toast';
import { salesApi } from '../api';
import styles from '../page.module.css';
import { countedLines, openAsks } from '../questions';
import { ResolveItems, ResolveStores } from '../Resolve';
import type { Ask, Batch, ExistingDay, OnExisting } from '../types';
import { Existing } from './Existing';
import { Figures } from './Figures';
import { FilePosted } from './FilePosted';
import { Problems } from './Problems';
import { Questions } from './Questions';
import classes from './Review.module.css';
import { useAnswers } from './useAnswers';

interface Props {
  batch: Batch;
  /** The progress of a check after an answer; the sums are those before it. */
  checking?: ReactNode;
  onChange(batch: Batch): void;
  /** The file is checked again with the answers. */
  onAnswered(batch: Batch): void;
  onRemap(): void;
}

interface Asked {
  days: readonly ExistingDay[];
  total: number;
}

/** Open questions, what would be posted, problems, and unknown names. */
export function Review({ batch, checking, onChange, onAnswered, onRemap }: Props) {
  const mayImport = useCan('tools/importSalesProduct', 'import');
  const navigate = useNavigate();
  const { busy, problem, run } = useSave();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [attention, setAttention] = useState(0);
  const [waitingStores, setWaitingStores] = useState<string | null>(null);
  const [waitingItems, setWaitingItems] = useState<string | null>(null);
  const questions = useAnswers(batch, Boolean(checking), onAnswered);
  const summary = batch.summary;
  const unknowns = useQuery({
    queryKey: ['import-sales', 'unknowns', batch.id],
    queryFn: ({ signal }) => salesApi.unknowns(batch.id, signal),
    enabled: Boolean(!checking && summary && summary.unmappedItems + summary.unmappedStores > 0),
  });
  if (!summary) return null;
  const { unmappedStores, unmappedItems, problemLines, goodLines, replaces } = summary;
  const repeated = summary.repeatedRows ?? 0;
  const roots = batch.subject === 'rootItems';
  const unmapped = roots
    ? `${plural(unmappedItems, 'root item is', 'root items are')} not known.`
    : `${plural(unmappedItems, 'item is', 'items are')} not mapped.`;
  const open = unmappedStores + (roots ? unmappedItems : 0);
  const waiting = [waitingStores, waitingItems].filter(Boolean).map((button) => `“${button}”`);

  const unanswered = openAsks(questions.asks, questions.answers).length;
  const mayPost =
    open === 0 && unanswered === 0 && goodLines > 0 && !questions.pending && mayImport && !busy;

  const post = (onExisting?: OnExisting) =>
    run(
      async () => {
        const next = await salesApi.post(batch.id, onExisting);
        setAsked(null);
        onChange(next);
      },
      {
        refused: ({ code, extras }) => {
          if (code === 'asks') {
            questions.ask((extras.asks ?? []) as Ask[]);
            setAttention((n) => n + 1);
            // Another user may have changed the mapping meanwhile.
            void queries.invalidateQueries({ queryKey: ['import-sales', 'batch', batch.id] });
          }
          if (code !== 'alreadyImported') return false;
          const days = (extras.days ?? []) as ExistingDay[];
          const total = typeof extras.storeDays === 'number' ? extras.storeDays : days.length;
          setAsked({ days, total });
          return true;
        },
      },
    );
  const resolved = (next: Batch) => {
    void unknowns.refetch();
    onChange(next);
  };

  return (
    <>
      <Questions
        asks={questions.asks}
        answers={questions.answers}
        readOnly={!mayImport}
        attention={attention}
        onAnswer={(ask, choice) => questions.answer(ask.id, choice.id)}
        onContinue={() => mayPost && void post()}
      />
      {questions.problem && (
        <p role="alert" className={styles.error}>
          {questions.problem.fields[0]?.message ?? questions.problem.message}
        </p>
      )}
      {checking}
      <FilePosted batch={batch} />
      <Figures summary={summary} />
      {repeated > 0 && (
        <p className={styles.notice}>
          {plural(repeated, 'row is', 'rows are')} the same as an earlier row in every column that
          is read. {repeated === 1 ? 'It is' : 'They are'} posted too; if the file holds an export
          twice, take the second one out first.
        </p>
      )}
      {summary.warnings
        .filter((words) => words !== unmapped)
        .map((words) => (
          <p key={words} className={styles.notice}>
            {words}
          </p>
        ))}
      {problemLines > 0 && <Problems batch={batch} total={problemLines} />}
      {unknowns.data && unknowns.data.stores.length > 0 && (
        <ResolveStores
          stores={unknowns.data.stores}
          readOnly={!mayImport || Boolean(checking)}
          onWaiting={setWaitingStores}
          onResolve={async (stores) =>
            resolved(await salesApi.resolve(batch.id, { stores, items: [] }))
          }
        />
      )}
      {unknowns.data && unknowns.data.items.length > 0 && (
        <ResolveItems
          items={unknowns.data.items}
          message={roots ? `${plural(unmappedItems, 'root item')} not known` : unmapped}
          roots={roots}
          readOnly={!mayImport || Boolean(checking)}
          onWaiting={setWaitingItems}
          onResolve={async (items) =>
            resolved(await salesApi.resolve(batch.id, { stores: [], items }))
          }
        />
      )}
      {problem && !asked && (
        <p role="alert" className={styles.error}>
          {problem.message}
        </p>
      )}
      {mayImport && (
        <Panel>
          <div className={classes.post}>
            <div className={classes.words}>
              <strong>
                {unanswered > 0
                  ? `${plural(unanswered, 'question is', 'questions are')} open.`
                  : checking
                    ? 'The file is checked again with your answers.'
                    : open > 0
                      ? unmappedStores > 0
                        ? `Say first which stores are meant: ${plural(unmappedStores, 'name')} to go.`
                        : `Say first which root items are meant: ${plural(unmappedItems, 'name')} to go.`
                      : `Ready to post ${plural(countedLines(summary), 'line')} of ${plural(summary.storeDays, 'store day')}.`}
              </strong>
              <span>
                {[
                  problemLines > 0 &&
                    `${plural(problemLines, 'row')} with problems ${problemLines === 1 ? 'is' : 'are'} left out.`,
                  waiting.length > 0 &&
                    `The choices above count once you press ${waiting.join(' and ')}.`,
                  !roots &&
                    unmappedItems > 0 &&
                    'Unmapped items are posted too and can be mapped later.',
                  replaces > 0 &&
                    `${plural(replaces, 'store day was', 'store days were')} imported before.`,
                ]
                  .filter(Boolean)
                  .join(' ')}
              </span>
            </div>
            <Button
              variant="subtle"
              color="red"
              disabled={Boolean(checking)}
              onClick={() =>
                void run(async () => {
                  await salesApi.remove(batch.id);
                  done('Upload deleted');
                  await navigate(
                    roots ? pages.toolsImportSalesRootQty.path : pages.toolsImportSales.path,
                  );
                })
              }
            >
              Delete upload
            </Button>
            <Button variant="default" disabled={Boolean(checking)} onClick={onRemap}>
              Change columns
            </Button>
            <Button loading={busy} disabled={!mayPost && !busy} onClick={() => void post()}>
              {roots ? 'Post quantities' : 'Post sales'}
            </Button>
          </div>
        </Panel>
      )}
      {asked && (
        <Existing
          days={asked.days}
          total={asked.total}
          busy={busy}
          problem={problem?.message}
          onChoose={(choice) => void post(choice)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
