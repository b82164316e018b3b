import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { Problem } from '#/api/problem';
import { useSave } from '#/form/useSave';
import { to } from '#/paths';
import { listPath } from '#/records';
import { ErrorBox } from '#/ui/ErrorBox';
import { count } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { done, lastingError } from '#/ui/toast';
import { importApi, stepOver } from '../api';
import { counted, inSentence, kindOf, writes } from '../labels';
import { OUTCOMES, outcomeOf } from '../states';
import type { Batch, ImportList, Outcome } from '../types';
import { HiddenRows } from './HiddenRows';
import { ProblemsMenu } from './ProblemsMenu';
import classes from './Result.module.css';
import { RowsTable } from './RowsTable';
import { UndoDialog } from './UndoDialog';
import { verdict } from './verdict';
import { WillCreate } from './WillCreate';

interface Props {
  batch: Batch;
  list: ImportList;
  /** Interrupted while writing rows or while undoing. */
  halfWay: boolean;
  onChange(batch: Batch): void;
  onRemap(): void;
  /** It is being deleted, so it must not be refetched. */
  onLeave(leaving: boolean): void;
}

/** The effect of the rows, each of them, and the available actions. */
export function Result(props: Props) {
  const { batch, list } = props;
  const [search, setSearch] = useSearchParams();
  const { summary } = batch;
  if (!summary) return null;
  const show = OUTCOMES.find((one) => one === search.get('show') && summary[one] > 0);
  const options: { value: Outcome | 'all'; label: string }[] = [
    { value: 'all', label: `All ${count(summary.rows)}` },
    ...OUTCOMES.filter((one) => summary[one] > 0).map((one) => ({
      value: one,
      label: `${one === 'failed' ? 'Problems' : outcomeOf[one].label} ${count(summary[one])}`,
    })),
  ];
  const choose = (value: Outcome | 'all') =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === 'all') next.delete('show');
        else next.set('show', value);
        return next;
      },
      { replace: true },
    );

  return (
    <>
      {batch.state === 'checked' && <WillCreate lists={summary.willCreate} />}
      {batch.state === 'checked' && <HiddenRows batch={batch} onChange={props.onChange} />}
      <RowsTable
        batch={batch}
        list={list}
        show={show}
        head={
          <div className={classes.head}>
            <div className={classes.segments}>
              <Segments
                label="Rows shown"
                value={show ?? 'all'}
                options={options}
                onChange={choose}
              />
            </div>
            {summary.failed > 0 && <ProblemsMenu batch={batch.id} />}
          </div>
        }
      />
      <Foot {...props} />
    </>
  );
}

function Foot({ batch, list, halfWay, onChange, onRemap, onLeave }: Props) {
  const navigate = useNavigate();
  const { busy, problem, run } = useSave();
  const [undoing, setUndoing] = useState(false);
  const n = batch.summary ? writes(batch.summary) : 0;
  const { title, text } = verdict(batch, list, halfWay);
  const all = listPath(kindOf(list.slug));
  const checked = batch.state === 'checked';

  const commit = () => run(async () => onChange(await importApi.commit(batch.id)));
  async function remove(): Promise<void> {
    onLeave(true);
    try {
      await importApi.remove(batch.id);
      done('Upload deleted');
      await navigate(to('toolsImportData', null, { list: list.slug }));
      stepOver();
    } catch (problem) {
      lastingError(Problem.of(problem).message);
      onLeave(false);
    }
  }

  return (
    <>
      {problem && <ErrorBox>{problem.message}</ErrorBox>}
      <section className={classes.foot} aria-label="What to do">
        <div className={classes.words}>
          <strong>{title}</strong>
          {text && <span>{text}</span>}
        </div>
        {checked && (
          <>
            <Button variant="subtle" color="red" onClick={() => void remove()}>
              Delete upload
            </Button>
            <Button variant="default" onClick={onRemap}>
              Change columns
            </Button>
            <Button loading={busy} disabled={n === 0} onClick={() => void commit()}>
              {n === 0 ? 'Nothing to import' : `Import ${counted(n, list)}`}
            </Button>
          </>
        )}
        {(batch.state === 'committed' || halfWay) && (
          <Button variant="subtle" color="red" onClick={() => setUndoing(true)}>
            Undo import
          </Button>
        )}
        {halfWay && (
          <Button loading={busy} onClick={() => void commit()}>
            Import the rest
          </Button>
        )}
        {!checked && !halfWay && (
          <>
            <Button
              variant="default"
              component={Link}
              to={to('toolsImportData', null, { list: list.slug })}
            >
              Import another file
            </Button>
            {all && (
              <Button component={Link} to={all}>
                Open {inSentence(list.label)}
              </Button>
            )}
          </>
        )}
      </section>
      {undoing && (
        <UndoDialog
          batch={batch}
          onClose={() => setUndoing(false)}
          onStarted={(next) => {
            setUndoing(false);
            onChange(next);
          }}
        />
      )}
    </>
  );
}
