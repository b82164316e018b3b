import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle, IconInfoCircle, IconTable } from '@tabler/icons-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useJob } from '#/api/jobs';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { to } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { EmptyState } from '#/ui/EmptyState';
import { ExportButton } from '#/ui/ExportButton';
import { DOT, day, plural } from '#/ui/format';
import { JobProgress } from '#/ui/JobProgress';
import { Page } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { usePhone } from '#/ui/usePhone';
import { Actions, type Saves } from './Actions';
import { exportHref, useAnswer } from './api';
import classes from './Builder.module.css';
import { DrilldownDrawer } from './DrilldownDrawer';
import { COMPARES, sentence, whole, writeDefinition } from './definition';
import { Graph } from './Graph';
import { Panel } from './Panel';
import { type Picked, Table } from './Table';
import type { Answer, Definition } from './types';
import { type Builder as State, useBuilder } from './useBuilder';

/** A new or saved report: its definition at the left, its result at the right. */
export function Builder() {
  const state = useBuilder();
  const { id, saved, datasets, definition, dataset } = state;
  const title = saved.data?.name ?? (id ? 'Report' : 'New report');
  const back = <BackLink to={to('reports', { tab: 'custom' })} label="Custom reports" />;
  const error = (id !== null && saved.error) || datasets.error;
  if (error) {
    const problem = Problem.of(error);
    return (
      <Page title={problem.status === 404 ? 'No such report' : title} back={back}>
        <EmptyState
          icon={IconAlertTriangle}
          role="alert"
          title={
            problem.status === 404
              ? 'This report is gone, or it is not shared with you'
              : 'The report could not be loaded'
          }
          text={problem.status === 404 ? 'Ask its owner to share it.' : problem.message}
          action={
            problem.status !== 404 && (
              <Button
                variant="default"
                onClick={() => {
                  void datasets.refetch();
                  if (id) void saved.refetch();
                }}
              >
                Try again
              </Button>
            )
          }
        />
      </Page>
    );
  }
  if (!definition || !datasets.data) {
    return (
      <Page title={title} back={back}>
        <div className={classes.bone} aria-busy="true" />
      </Page>
    );
  }
  if (!dataset) {
    return (
      <Page title={title} back={back}>
        <EmptyState
          icon={IconTable}
          title="You may not see what this report is about"
          text="It needs a right that your role does not have. Ask an administrator."
        />
      </Page>
    );
  }
  return <Loaded state={state} definition={definition} title={title} back={back} />;
}

interface LoadedProps {
  state: State;
  definition: Definition;
  title: string;
  back: ReactNode;
}

function Loaded({ state, definition, title, back }: LoadedProps) {
  const { saved, datasets, dataset, set, changed } = state;
  const phone = usePhone();
  const mine = !saved.data || saved.data.mine;
  const [side, setSide] = useState<'build' | 'result'>(saved.data ? 'result' : 'build');
  const { state: came } = useLocation();
  const [opened, setOpened] = useState(
    !saved.data || (came as { building?: boolean } | null)?.building === true,
  );
  const [picked, setPicked] = useState<Picked | null>(null);
  const saves = useRef<Saves>(null);
  const [refused, setRefused] = useState<{ problem: Problem; of: string } | null>(null);
  const written = writeDefinition(definition);
  // Once anything is changed, the refusal is of something else.
  const problem = refused?.of === written ? refused.problem : null;
  const mayExport = useCan('reports/reports', 'export');
  // Debounced: half a word typed, or three fields added in a row, need one request.
  const [text] = useDebouncedValue(writeDefinition(definition), 300);
  const asked = useMemo(() => whole(JSON.parse(text)), [text]);
  const query = useAnswer(asked);
  const job = useJob(query.data?.jobId);
  const answer =
    query.data?.answer ?? ((job.data?.result as Answer | null | undefined) || undefined);
  const showPanel = phone ? side === 'build' : opened;
  const name = saved.data?.name ?? sentence(definition, dataset);

  return (
    <Page
      fill
      title={title}
      back={back}
      aside={answer ? aside(answer) : undefined}
      actions={
        <>
          {!phone && (
            <Button
              size="compact-md"
              variant="default"
              aria-expanded={opened}
              onClick={() => setOpened(!opened)}
            >
              {opened ? 'Hide fields' : 'Show fields'}
            </Button>
          )}
          {mayExport && answer && <ExportButton href={exportHref(definition, name)} />}
          <Actions
            ref={saves}
            state={state}
            definition={definition}
            suggested={sentence(definition, dataset)}
            onRefused={(found) => {
              setRefused(found && { problem: found, of: written });
              if (!found) return;
              setOpened(true);
              setSide('build');
            }}
          />
        </>
      }
    >
      {saved.data && (
        <p className={classes.owner}>
          {saved.data.about && `${saved.data.about} `}
          {mine ? '' : `Made by ${saved.data.ownerName}. `}
          {changed && (
            <>
              Changed and not saved.{' '}
              <button
                type="button"
                onClick={() => {
                  const kept = whole(saved.data.definition);
                  if (kept) set(kept);
                }}
              >
                Back to what is saved
              </button>
            </>
          )}
        </p>
      )}
      {phone && (
        <Segments<'build' | 'result'>
          label="Part"
          value={side}
          options={[
            { value: 'build', label: 'Fields' },
            { value: 'result', label: 'Report' },
          ]}
          onChange={setSide}
        />
      )}
      <div className={classes.split} data-panel={showPanel || undefined}>
        {showPanel && datasets.data && (
          <Panel
            datasets={datasets.data}
            dataset={dataset}
            definition={definition}
            answer={answer}
            set={set}
            problem={problem}
            onSave={(next) => saves.current?.save(next)}
          />
        )}
        {(!phone || side === 'result') && (
          <section className={classes.result} aria-label="Report">
            <Result
              definition={definition}
              answer={answer}
              query={query}
              jobId={query.data?.jobId ?? null}
              jobError={
                job.data?.error ?? (job.data?.state === 'cancelled' ? 'It was stopped.' : null)
              }
              label={name}
              set={set}
              onPick={setPicked}
            />
          </section>
        )}
      </div>
      {answer && dataset && (
        <DrilldownDrawer
          answer={answer}
          dataset={dataset}
          picked={picked}
          onClose={() => setPicked(null)}
        />
      )}
    </Page>
  );
}

const aside = (answer: Answer) =>
  `${plural(answer.rowCount, 'row')}${DOT}${day(answer.from)} – ${day(answer.to)}`;

function against({ before, definition }: Answer): string {
  const dates = before ? `${day(before[0] ?? '')} – ${day(before[1] ?? '')}` : '';
  return definition.compare === 'range'
    ? `Changes are against ${dates}.`
    : `Changes are against ${COMPARES[definition.compare]}, day by day (${dates}).`;
}

interface ResultProps {
  definition: Definition;
  answer: Answer | undefined;
  query: ReturnType<typeof useAnswer>;
  jobId: string | null;
  jobError: string | null;
  label: string;
  set(next: Definition): void;
  onPick(picked: Picked): void;
}

function Result(props: ResultProps) {
  const { definition, answer, query, jobId, jobError, label, set, onPick } = props;
  if (definition.measures.length === 0) {
    return (
      <EmptyState
        icon={IconTable}
        title="Choose a figure to show"
        text="Rows and columns say how it is split; a figure says what is counted."
      />
    );
  }
  if (query.error || jobError) {
    const problem = query.error && Problem.of(query.error);
    const words = problem?.fields.map(({ message }) => message).join(' ') || problem?.message;
    return (
      <EmptyState
        icon={IconAlertTriangle}
        role="alert"
        title="This cannot be shown"
        text={words ?? jobError}
        action={
          <Button variant="default" onClick={() => void query.refetch()}>
            Try again
          </Button>
        }
      />
    );
  }
  if (!answer) {
    if (jobId) {
      return (
        <JobProgress
          jobId={jobId}
          title="Reading a lot"
          unit="parts"
          cancellable
          onOver={() => {}}
        />
      );
    }
    return <div className={classes.bone} aria-busy="true" />;
  }
  return (
    <>
      <ul className={classes.notices} aria-label="Notices">
        {answer.notices.map(({ code, message }) => (
          <li key={message} data-code={code}>
            <IconInfoCircle size={16} aria-hidden />
            {message}
          </li>
        ))}
        {answer.before && (
          <li>
            <IconInfoCircle size={16} aria-hidden />
            {against(answer)}
          </li>
        )}
        {answer.units > 1 && (
          <li>
            <IconInfoCircle size={16} aria-hidden />
            The quantities are in {answer.units} units, which are never added up. Each has its rows
            and its total.
          </li>
        )}
      </ul>
      {answer.rows.length > 0 && <Graph answer={answer} onPick={onPick} />}
      <div className={classes.table}>
        <Table
          answer={answer}
          label={label}
          stale={query.isPlaceholderData}
          onSort={(sort) => set({ ...definition, sort })}
          onPick={onPick}
        />
      </div>
    </>
  );
}
