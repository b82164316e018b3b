import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useCan } from '#/api/session';
import { useSave } from '#/form/useSave';
import { pages } from '#/paths';
import { Dialog } from '#/ui/Dialog';
import { plural } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { done } from '#/ui/toast';
import { salesApi } from '../api';
import styles from '../page.module.css';
import { ResolveItems, ResolveStores } from '../Resolve';
import type { Batch } from '../types';
import { Figures } from './Figures';
import { FilePosted } from './FilePosted';
import { Problems } from './Problems';
import classes from './Review.module.css';

interface Props {
  batch: Batch;
  onChange(batch: Batch): void;
  onRemap(): void;
}

/** What would be posted, problems, and unknown names. */
export function Review({ batch, onChange, onRemap }: Props) {
  const mayImport = useCan('tools/importSalesProduct', 'import');
  const navigate = useNavigate();
  const { busy, problem, run } = useSave();
  const [replacing, setReplacing] = useState(false);
  const summary = batch.summary;
  const unknowns = useQuery({
    queryKey: ['import-sales', 'unknowns', batch.id],
    queryFn: ({ signal }) => salesApi.unknowns(batch.id, signal),
    enabled: Boolean(summary && summary.unmappedItems + summary.unmappedStores > 0),
  });
  if (!summary) return null;
  const { unmappedStores, unmappedItems, problemLines, goodLines, replaces } = summary;
  const repeated = summary.repeatedRows ?? 0;
  const roots = batch.subject === 'rootItems';
  const unmapped = roots
    ? `${plural(unmappedItems, 'root item is', 'root items are')} not known.`
    : `${plural(unmappedItems, 'item is', 'items are')} not mapped.`;
  const open = unmappedStores + (roots ? unmappedItems : 0);

  const post = (replace: boolean) =>
    run(
      async () => {
        const next = await salesApi.post(batch.id, replace);
        setReplacing(false);
        onChange(next);
      },
      {
        refused: ({ code }) => {
          const asked = code === 'alreadyImported';
          if (asked) setReplacing(true);
          return asked;
        },
      },
    );
  const resolved = (next: Batch) => {
    void unknowns.refetch();
    onChange(next);
  };

  return (
    <>
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
          readOnly={!mayImport}
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
          readOnly={!mayImport}
          onResolve={async (items) =>
            resolved(await salesApi.resolve(batch.id, { stores: [], items }))
          }
        />
      )}
      {problem && (
        <p role="alert" className={styles.error}>
          {problem.message}
        </p>
      )}
      {mayImport && (
        <Panel>
          <div className={classes.post}>
            <div className={classes.words}>
              <strong>
                {open > 0
                  ? unmappedStores > 0
                    ? `Say first which stores are meant: ${plural(unmappedStores, 'name')} to go.`
                    : `Say first which root items are meant: ${plural(unmappedItems, 'name')} to go.`
                  : `Ready to post ${plural(goodLines, 'line')} of ${plural(summary.storeDays, 'store day')}.`}
              </strong>
              <span>
                {[
                  problemLines > 0 &&
                    `${plural(problemLines, 'row')} with problems ${problemLines === 1 ? 'is' : 'are'} left out.`,
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
            <Button variant="default" onClick={onRemap}>
              Change columns
            </Button>
            <Button
              loading={busy}
              disabled={open > 0 || goodLines === 0}
              onClick={() => (replaces > 0 ? setReplacing(true) : void post(false))}
            >
              {roots ? 'Post quantities' : 'Post sales'}
            </Button>
          </div>
        </Panel>
      )}
      <Dialog
        opened={replacing}
        title="Already imported; replace?"
        keep="Keep what is there"
        confirm="Replace and post"
        busy={busy}
        onConfirm={() => void post(true)}
        onClose={() => setReplacing(false)}
      >
        <p>
          {replaces > 0
            ? `${plural(replaces, 'store day')} in this file ${replaces === 1 ? 'was' : 'were'} imported before. `
            : 'Some store days in this file were imported before. '}
          Posting replaces their lines; every other day stays as it is.
        </p>
      </Dialog>
    </>
  );
}
