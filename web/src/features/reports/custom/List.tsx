import { Button } from '@mantine/core';
import { IconAlertTriangle, IconMail, IconPlus, IconTableOptions } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { to } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { DOT, moment } from '#/ui/format';
import { usePhone } from '#/ui/usePhone';
import cards from '../page.module.css';
import { useDatasets, useReports } from './api';
import { writeDefinition } from './definition';
import { examples } from './examples';
import classes from './List.module.css';
import { scheduleLabel } from './labels';
import type { Report } from './types';
import { IN_ADDRESS } from './useBuilder';

/** Saved reports with their owners and viewers, and examples to start from. */
export function CustomList() {
  const reports = useReports();
  const datasets = useDatasets();
  const phone = usePhone();
  const items = reports.data?.items ?? [];
  const offered = examples.filter(({ definition }) =>
    datasets.data?.items.some(({ key }) => key === definition.dataset),
  );
  return (
    <div className={classes.list}>
      <div className={classes.head}>
        <h2 className={classes.title}>Saved reports</h2>
        <Button
          component={Link}
          to={to('reportCustomNew')}
          size={phone ? 'md' : 'compact-md'}
          leftSection={<IconPlus size={15} aria-hidden />}
        >
          New report
        </Button>
      </div>
      {reports.isPending && <div className={classes.bone} aria-busy="true" />}
      {reports.error && (
        <EmptyState
          icon={IconAlertTriangle}
          role="alert"
          compact
          title="The saved reports could not be loaded"
          text={Problem.of(reports.error).message}
          action={
            <Button variant="default" onClick={() => void reports.refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {reports.isSuccess && items.length === 0 && (
        <EmptyState
          icon={IconTableOptions}
          compact
          title="No saved reports yet"
          text="Begin with one of the questions below, or with an empty report; then save it."
        />
      )}
      {items.length > 0 && (
        <ul className={classes.rows} aria-label="Saved reports">
          {items.map((report) => (
            <Line key={report.id} report={report} />
          ))}
        </ul>
      )}
      {offered.length > 0 && <h2 className={classes.title}>Questions to begin with</h2>}
      <ul className={cards.cards}>
        {offered.map(({ name, question, definition }) => (
          <li key={name}>
            <Link
              className={cards.card}
              to={to('reportCustomNew', null, { [IN_ADDRESS]: writeDefinition(definition) })}
            >
              <span className={classes.name}>{name}</span>
              <span className={cards.question}>{question}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Line({ report }: { report: Report }) {
  const { schedule } = report;
  const seen = report.everybody
    ? 'Everybody'
    : report.roles.length > 0
      ? report.roles.map(({ name }) => name).join(', ')
      : report.mine
        ? 'Only you'
        : 'You';
  return (
    <li className={classes.row}>
      <Link className={classes.open} to={to('reportCustomOne', { id: report.id })}>
        <span className={classes.name}>{report.name}</span>
        <span className={cards.question}>
          {report.about || report.dataset || 'Its data is gone'}
          {!report.canRun && report.dataset && `${DOT}needs a right you do not have`}
        </span>
      </Link>
      <dl className={classes.facts}>
        <div>
          <dt>Owner</dt>
          <dd>{report.mine ? `${report.ownerName}` : report.ownerName}</dd>
        </div>
        <div>
          <dt>Seen by</dt>
          <dd>{seen}</dd>
        </div>
        <div>
          <dt>Changed</dt>
          <dd>{moment(report.updatedAt)}</dd>
        </div>
        {schedule && (
          <div>
            <dt>
              <IconMail size={14} aria-label="Sent by mail" />
            </dt>
            <dd>{schedule.enabled ? scheduleLabel(schedule) : 'Paused'}</dd>
          </div>
        )}
      </dl>
    </li>
  );
}
