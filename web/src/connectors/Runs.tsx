import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { DateField } from '#/ui/DateField';
import { addDays, today } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { ErrorBox } from '#/ui/ErrorBox';
import { count, DOT, moment, plural, shortDay } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { type Connector, cancel, isOpen, type Run, start, useRunLog, useRuns } from './api';
import classes from './Connectors.module.css';
import { causeLabel, outcome, stateLabel, stateTone } from './labels';

interface Props {
  base: string;
  connector: Connector;
  canEdit: boolean;
  /** Whether it can run for given days. */
  runs: boolean;
}

/** The runs of a connector, each with its log. */
export function Runs({ base, connector, canEdit, runs }: Props) {
  const [limit, setLimit] = useState(20);
  const { data, error } = useRuns(base, connector.id, limit);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const starting = useSave();
  const { errorOf } = starting;
  const yesterday = addDays(today(), -1);

  const run = () =>
    starting.run(() => start(base, connector.id, { from: from || undefined, to: to || undefined }));

  return (
    <div className={classes.body}>
      {runs && canEdit && (
        <div className={classes.fields}>
          <DateField
            label="From"
            description="Empty: where the last run ended"
            value={from}
            max={yesterday}
            error={errorOf('from')}
            onChange={(date) => setFrom(date)}
          />
          <DateField
            label="To"
            description="Empty: yesterday"
            value={to}
            max={yesterday}
            error={errorOf('to')}
            onChange={(date) => setTo(date)}
          />
          {data?.items.some(isOpen) ? (
            <p className={classes.quiet}>
              It is at work. Another run can start when this one ends.
            </p>
          ) : (
            <Button mt={43} loading={starting.busy} onClick={() => void run()}>
              Run now
            </Button>
          )}
        </div>
      )}
      <SaveProblem save={starting} />
      {error && !data && <ErrorBox>{Problem.of(error).message}</ErrorBox>}
      {data?.items.length === 0 && <EmptyState icon={IconHistory} compact title="Never run yet" />}
      <ol className={classes.list}>
        {data?.items.map((it, at) => (
          <Entry key={it.id} base={base} run={it} opened={at === 0} canEdit={canEdit} />
        ))}
      </ol>
      {data && data.total > data.items.length && (
        <Button variant="default" onClick={() => setLimit(limit + 20)}>
          Show more of {count(data.total)}
        </Button>
      )}
    </div>
  );
}

interface EntryProps {
  base: string;
  run: Run;
  opened: boolean;
  canEdit: boolean;
}

function Entry({ base, run, opened, canEdit }: EntryProps) {
  const [open, setOpen] = useState(opened);
  const { data } = useRunLog(base, run.connectorId, run.id, open);
  const days = run.from && run.to ? `${DOT}${shortDay(run.from)} to ${shortDay(run.to)}` : '';
  return (
    <li className={classes.entry}>
      <div className={classes.entryHead}>
        <strong>{moment(run.createdAt)}</strong>
        <span className={classes.quiet}>
          {causeLabel(run)}
          {days}
        </span>
        <StatusPill tone={stateTone(run)}>{stateLabel(run)}</StatusPill>
      </div>
      <p>{outcome(run)}</p>
      {run.repeated > 0 && (
        <p className={classes.quiet}>
          {plural(run.repeated, 'record')} came twice and {run.repeated === 1 ? 'counts' : 'count'}{' '}
          once.
        </p>
      )}
      <div className={classes.actions}>
        <Button
          size="xs"
          variant="default"
          aria-expanded={open}
          aria-label={`${open ? 'Hide the log' : 'Show the log'}: ${moment(run.createdAt)}`}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Hide the log' : 'Show the log'}
        </Button>
        {canEdit && (isOpen(run) || run.state === 'waiting') && (
          <Button
            size="xs"
            variant="default"
            onClick={() => void cancel(base, run.connectorId, run.id)}
          >
            Stop
          </Button>
        )}
      </div>
      {open && data && data.log.length > 0 && (
        <ol className={classes.log} aria-label="What it did">
          {data.log.map(({ seq, at, level, words }) => (
            <li key={seq} data-level={level}>
              <span className={classes.quiet}>{moment(at)}</span> {words}
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}
